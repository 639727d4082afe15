/* Prints what ICU answers of what Tondo asks it: the order of names in the languages that are read from the standard input, one a
   line, their capital and small letters, and letters of all scripts in Latin ones. Each answer is a sum of many. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uint16_t Unit;

/* Of Foundation's ICU, whose headers no program may include. */
void *swift_ucol_open(const char *locale, int *status);
void swift_ucol_setAttribute(void *collator, int attribute, int value, int *status);
int swift_ucol_getSortKey(void *collator, const Unit *text, int length, uint8_t *key, int capacity);
void swift_ucol_close(void *collator);
int swift_u_strToUpper(Unit *to, int capacity, const Unit *from, int length, const char *locale, int *status);
int swift_u_strToLower(Unit *to, int capacity, const Unit *from, int length, const char *locale, int *status);
void *swift_utrans_openU(const Unit *id, int length, int direction, const Unit *rules, int count, void *error, int *status);
void swift_utrans_transUChars(void *rules, Unit *text, int *length, int capacity, int start, int *limit, int *status);

enum { ALTERNATE = 1, NON_IGNORABLE = 21, NORMALIZATION = 4, ON = 17, SURROGATES = 0xD800, CAPACITY = 400 };

static uint64_t sum;

/* FNV-1a. */
static void add(const void *bytes, int count) {
    const uint8_t *each = bytes;
    while (count-- > 0) sum = (sum ^ *each++) * 1099511628211u;
}

static void print_order(const char *locale) {
    int status = 0, ignored = 0;
    void *collator = swift_ucol_open(locale, &status);
    sum = 0;
    if (collator) {
        swift_ucol_setAttribute(collator, ALTERNATE, NON_IGNORABLE, &ignored);
        swift_ucol_setAttribute(collator, NORMALIZATION, ON, &ignored);
        /* Of Han characters and Korean syllables, a part: their order has no exceptions from one to the next. */
        for (unsigned at = 0x20; at < SURROGATES; at += at < 0x3400 ? 1 : 13) {
            const Unit text[] = {(Unit)at, (Unit)('a' + at % 26), (Unit)(at % 2 ? 0x301 : at + 1)};
            uint8_t key[CAPACITY];
            const int count = swift_ucol_getSortKey(collator, text, 3, key, CAPACITY);
            add(key, count < CAPACITY ? count : CAPACITY);
        }
        swift_ucol_close(collator);
    }
    printf("%s: order %d %016llx\n", locale, status, (unsigned long long)sum);
}

static void print_cases(const char *locale) {
    const Unit text[] = {'I', 'i', 0x130, 0x131, 0x3A3, 0xDF, 0xFB01, 0x345, 'J', 'j', 0x301, 0x587};
    Unit result[CAPACITY];
    int status = 0;
    sum = 0;
    add(result, 2 * swift_u_strToUpper(result, CAPACITY, text, 12, locale, &status));
    add(result, 2 * swift_u_strToLower(result, CAPACITY, text, 12, locale, &status));
    printf("%s: cases %d %016llx\n", locale, status, (unsigned long long)sum);
}

static void print_spelling(const char *name) {
    Unit id[CAPACITY];
    const int length = (int)strlen(name);
    int status = 0;
    for (int at = 0; at < length; at += 1) id[at] = (Unit)name[at];
    void *rules = swift_utrans_openU(id, length, 0, NULL, 0, NULL, &status);
    sum = 0;
    for (unsigned at = 0xA0; rules && at < SURROGATES; at += 1) {
        Unit text[CAPACITY] = {(Unit)at, (Unit)(at + 1 < SURROGATES ? at + 1 : at), 'a'};
        int count = 3, limit = 3, problem = 0;
        swift_utrans_transUChars(rules, text, &count, CAPACITY, 0, &limit, &problem);
        add(text, 2 * count);
    }
    printf("%s: %d %016llx\n", name, status, (unsigned long long)sum);
}

int main(void) {
    char line[100];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        print_order(line);
        print_cases(line);
    }
    print_spelling("Any-Latin; Latin-ASCII; Lower");
    print_spelling("Greek-Latin/UNGEGN; Latin-ASCII; Lower");
    print_spelling("Any-Latin");
    print_spelling("Han-Latin");
    print_spelling("Han-Latin/Names");
    return 0;
}
