#include "carom/utf8.h"

#include <string.h>

/* The shortest code that needs this many bytes more. */
static const unsigned least_code[] = {0, 0x80, 0x800, 0x10000};

/* Bytes that follow this first byte, or -1 when it begins no character. */
static int followers(unsigned char first)
{
    return first < 0x80 ? 0 : first < 0xC2 ? -1 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : first < 0xF5 ? 3 : -1;
}

int carom_utf8_decode(const char *text, unsigned *code)
{
    const unsigned char *b = (const unsigned char *)text;
    int more = followers(b[0]);
    unsigned value = more > 0 ? b[0] & (0x3Fu >> more) : b[0];
    *code = CAROM_UTF8_BAD;
    for (int i = 1; i <= more; i++) {
        if ((b[i] & 0xC0) != 0x80)
            return 1;
        value = value << 6 | (b[i] & 0x3Fu);
    }
    if (more < 0 || value < least_code[more] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
        return 1;
    *code = value;
    return more + 1;
}

bool carom_utf8_is_printable(unsigned code)
{
    static const unsigned barred[][2] = {
        {0x00, 0x1F},     {0x7F, 0x9F},     {0x061C, 0x061C}, {0x200E, 0x200F}, {0x2028, 0x202E},
        {0x2066, 0x2069}, {0xFDD0, 0xFDEF}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB},
    };
    for (unsigned i = 0; i < sizeof barred / sizeof barred[0]; i++)
        if (code >= barred[i][0] && code <= barred[i][1])
            return false;
    return (code & 0xFFFE) != 0xFFFE && code <= 0x10FFFF;
}

void carom_utf8_clean(char *text)
{
    char *to = text;
    while (*text) {
        unsigned code;
        int length = carom_utf8_decode(text, &code);
        bool fine = carom_utf8_is_printable(code) && (code != CAROM_UTF8_BAD || length > 1);
        if (fine)
            memmove(to, text, (size_t)length);
        else
            *to = '?';
        to += fine ? length : 1;
        text += length;
    }
    *to = 0;
}
