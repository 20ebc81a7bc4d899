/* Programs for other machines draw nothing: they are linked without cairo. */
#include "carom/plot.h"

bool carom_picture_write(const carom_picture *picture, const char *path, char *why, size_t size)
{
    (void)picture, (void)path;
    if (size > 0)
        why[0] = 0;
    return false;
}

void carom_picture_free(carom_picture *picture)
{
    (void)picture;
}

carom_picture *carom_chart_draw(const carom_chart *chart)
{
    (void)chart;
    return NULL;
}
