#include "vary.h"

#include "cli.h"

/* Always false. */
static bool complained(const carom_case_error *error)
{
    complain_error(NULL, error);
    return false;
}

bool vary_add(variables *v, const char *option, const char *assignment)
{
    carom_case_error error;
    return carom_vary_add(v, option + 2, assignment, &error) || complained(&error);
}

bool vary_add_random(variables *v, const char *option, const char *assignment)
{
    carom_case_error error;
    return carom_vary_add_random(v, option + 2, assignment, &error) || complained(&error);
}

bool varied_open(varied *t, const variables *v, const carom_case *c, const char *option)
{
    carom_case_error error;
    return carom_inputs_open(t, v, c, option + 2, &error) || complained(&error);
}

bool varied_open_scene(varied *t, const variables *v, const carom_scene_file *file, const char *option)
{
    carom_case_error error;
    return carom_inputs_open_scene(t, v, file, option + 2, &error) || complained(&error);
}
