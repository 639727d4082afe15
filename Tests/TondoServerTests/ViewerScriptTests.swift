import Foundation
import NIOCore
import Testing

@testable import TondoServer

private let node = "/usr/bin/node"

/// Runs the page's own script against a page, a list and an event stream that are made up here.
@Suite(
    .timeLimit(.minutes(1)),
    .enabled(if: FileManager.default.isExecutableFile(atPath: node), "Node.js is not installed"))
struct ViewerScriptTests {
    /// As much of a browser as the script uses. `tick` lets everything that waits go on.
    private static let browser = #"""
        class Element {
          constructor(tag) { Object.assign(this, { tag, children: [], attributes: {}, parentElement: null }); }
          append(...all) { for (const e of all) { e.parentElement = this; this.children.push(e); } }
          remove() { this.parentElement.children = this.parentElement.children.filter(e => e !== this); }
          replaceChildren() { this.children = []; }
          replaceWith(e) {
            e.parentElement = this.parentElement;
            this.parentElement.children[this.parentElement.children.indexOf(this)] = e;
          }
          setAttribute(n, v) { this.attributes[n] = String(v); }
          getAttribute(n) { return this.attributes[n]; }
          querySelector(q) {
            return this.children.find(e => q === "img" ? e.tag === "img" : e.className === q.slice(1)) ?? null;
          }
        }
        const total = new Element("output"), list = new Element("ul");
        globalThis.document = {
          getElementById: id => id === "total" ? total : list, createElement: tag => new Element(tag),
        };
        globalThis.Image = class extends Element { constructor() { super("img"); } };
        globalThis.devicePixelRatio = 1;
        let stream = null, requests = [];
        globalThis.EventSource = class {
          constructor() { this.heard = {}; stream = this; }
          addEventListener(name, action) { this.heard[name] = action; }
          send(name, data) { this.heard[name]?.({ data: JSON.stringify(data ?? {}) }); }
        };
        globalThis.fetch = url => new Promise(answer => requests.push({ url, answer: items => answer({
          ok: true, json: async () => ({ total: items.length, items, next: null }),
        }) }));
        const tick = () => new Promise(done => setImmediate(done));
        const contact = id => ({ id, name: { formatted: id } });
        const names = () => list.children.map(item => item.children[0].children[1].textContent);
        const button = index => list.children[index].children[0];
        const image = index => button(index).querySelector("img");
        const check = (what, text) => { if (!what) { console.log(text); process.exit(1); } };
        """#

    private func run(_ scenario: String) throws {
        let file = ViewerAssets.own.response(hash: ViewerAssets.own.hash, name: "viewer.js")
        let script = String(buffer: try #require(file?.body))
        let process = Process()
        (process.executableURL, process.arguments) = (URL(filePath: node), ["--input-type=module", "-"])
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, output)
        try process.run()
        let text = "\(Self.browser)\n(() => {\(script)})();\n\(scenario)\nprocess.exit(0);\n"
        input.fileHandleForWriting.write(Data(text.utf8))
        try input.fileHandleForWriting.close()
        let errors = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && errors == "", "\(errors)")
    }

    @Test func `The list is asked for once the stream is open`() throws {
        try run(
            """
            await tick();
            check(stream && requests.length === 0, "the list was fetched before the stream was open");
            stream.send("open");
            check(requests.length === 1, "the list was not fetched");
            """)
    }

    @Test func `A contact that leaves while the list is fetched leaves no ghost`() throws {
        try run(
            """
            stream.send("open");
            stream.send("contactRemoved", { id: "bo" });
            stream.send("contact", { contact: contact("cy") });
            requests[0].answer([contact("ada"), contact("bo")]);
            await tick();
            check(names().join() === "ada,cy", names().join());
            """)
    }

    @Test func `A selected avatar is another address after its photo changed`() throws {
        try run(
            """
            stream.send("open");
            requests[0].answer([contact("ada")]);
            await tick();
            stream.send("avatar", { contact: "ada", state: "normal", scale: 1, key: "one" });
            button(0).onclick();
            check(image(0).src.includes("state=selected") && image(0).src.includes("v=one"), image(0).src);
            stream.send("avatar", { contact: "ada", state: "normal", scale: 1, key: "two" });
            stream.send("avatar", { contact: "ada", state: "normal", scale: 2, key: "large" });
            check(image(0).src.includes("state=selected") && image(0).src.includes("v=two"), image(0).src);
            """)
    }

    @Test func `A reset begins again, and the list that was asked for before is not mixed in`() throws {
        try run(
            """
            stream.send("open");
            stream.send("reset");
            check(requests.length === 2, "the list was not fetched again");
            requests[1].answer([contact("bo")]);
            await tick();
            requests[0].answer([contact("ada")]);
            await tick();
            check(names().join() === "bo", names().join());
            """)
    }
}
