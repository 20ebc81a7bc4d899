#include "model_losses.h"

#include <stdio.h>

#include "json.h"

void print_losses(const carom_json *losses)
{
    size_t i;
    json_t *item;
    fprintf(stderr, "not taken: %zu\n", json_array_size(losses));
    json_array_foreach((json_t *)losses, i, item)
    {
        double line = json_number_value(json_object_get(item, "line"));
        if (line > 0)
            fprintf(stderr, "  line %-5.0f ", line);
        else
            fprintf(stderr, "             ");
        fprintf(stderr, "%s: %s\n", json_string_value(json_object_get(item, "element")),
                json_string_value(json_object_get(item, "meaning")));
    }
}
