// The library under the name of its product: `import Tondo` gives the loader, its events and the contacts.
@_exported public import TondoAvatars
