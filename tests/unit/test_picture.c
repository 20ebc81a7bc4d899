/* Pictures: text layout, bytes that repeat, files that appear whole or not at all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/plot/chart.h"
#include "support/check.h"

static const text_style plain = {10, {0, 1}, ANCHOR_LEFT, FACE_REGULAR, 0, false};

static void test_widths_add_up(void **state)
{
    (void)state;
    double p = text_size("p", plain), t = text_size("t", plain);
    assert_true(p > 4 && p < 8); /* about half the size */
    assert_near(text_size("pt", plain), p + t, 1, 1e-12);
    assert_near(text_size("p_t", plain), p + 0.72 * t, 1, 1e-12);
    assert_near(text_size("p_{tt}", plain), p + 2 * 0.72 * t, 1, 1e-12);
    assert_near(text_size("p^t", plain), p + 0.72 * t, 1, 1e-12);
    text_style raw = plain;
    raw.plain = true;
    assert_near(text_size("p_t", raw), p + t + text_size("_", raw), 1, 1e-12);
}

/* Letters nobody has, and bytes that are no UTF-8, become question marks instead of trouble. */
static void test_strange_text(void **state)
{
    (void)state;
    double mark = text_size("?", plain);
    assert_near(text_size("\xe4\xba\xba", plain), mark, 1, 1e-12); /* a Chinese character */
    assert_near(text_size("\xff", plain), mark, 1, 1e-12);
    assert_near(text_size("\xe4\xba", plain), 2 * mark, 1, 1e-12);
    assert_true(text_size("", plain) == 0);
    assert_true(text_size("_", plain) > 0); /* a script of nothing is the character itself */
    assert_true(text_size("p_{", plain) > 0);
}

static picture *sample(void)
{
    picture *p = picture_new(200, 100);
    frame f = frame_at(p, 40, 20, 120, 60);
    scale_hold(&f.sx, -1);
    scale_hold(&f.sx, 1e6);
    scale_hold(&f.sy, NAN); /* ignored */
    scale_pad(&f.sx, 0.1);
    scale_pad(&f.sy, 0.1);
    frame_axes(&f, (axis_text){"*x*", "*y*", false, 0});
    point points[] = {{0, 0}, {1e5, 0.5}, {2e5, NAN}, {3e5, 0.2}, {INFINITY, 0}, {5e5, 0.9}};
    frame_begin(&f);
    frame_curve(&f, points, 6, curve_style_of(7));
    frame_end(&f);
    draw_mark(p, 50, 50, 3, RED);
    return p;
}

static char *bytes_of(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = calloc(1, 1 << 20);
    *length = fread(bytes, 1, (1 << 20) - 1, file);
    fclose(file);
    return bytes;
}

static void test_svg_bytes_repeat(void **state)
{
    (void)state;
    char why[200];
    size_t length[2];
    char *bytes[2];
    for (int i = 0; i < 2; i++) {
        picture *p = sample();
        assert_true(carom_picture_write(p, "test_picture_sample.svg", why, sizeof why));
        bytes[i] = bytes_of("test_picture_sample.svg", &length[i]);
        carom_picture_free(p);
    }
    remove("test_picture_sample.svg");
    assert_int_equal(length[0], length[1]);
    assert_memory_equal(bytes[0], bytes[1], length[0]);
    assert_null(strstr(bytes[0], "nan"));
    assert_null(strstr(bytes[0], "inf"));
    assert_non_null(strstr(bytes[0], "</svg>"));
    free(bytes[0]);
    free(bytes[1]);
}

static void test_files_that_cannot_be(void **state)
{
    (void)state;
    picture *p = sample();
    char why[200];
    assert_false(carom_picture_write(p, "picture.gif", why, sizeof why));
    assert_non_null(strstr(why, ".svg, .png and .pdf"));
    assert_false(carom_picture_write(p, ".svg", why, sizeof why)); /* an ending is no name */
    for (const char *const *e = carom_picture_endings(); *e; e++) {
        char path[64];
        snprintf(path, sizeof path, "no_such_folder/picture%s", *e);
        assert_false(carom_picture_write(p, path, why, sizeof why));
        assert_non_null(strstr(why, "No such file"));
    }
    p->lost = true; /* as if memory had ended while drawing */
    assert_false(carom_picture_write(p, "test_picture_lost.svg", why, sizeof why));
    assert_null(fopen("test_picture_lost.svg", "r"));
    carom_picture_free(p);
    carom_picture_free(NULL);
}

static void test_numbers(void **state)
{
    (void)state;
    char text[32];
    number_text(text, sizeof text, -0.25, 4);
    assert_string_equal(text, "\xe2\x88\x92"
                              "0.25");
    number_text(text, sizeof text, -0.0, 4);
    assert_string_equal(text, "0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_widths_add_up),    cmocka_unit_test(test_strange_text),
        cmocka_unit_test(test_svg_bytes_repeat), cmocka_unit_test(test_files_that_cannot_be),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests_name("picture", tests, NULL, NULL);
}
