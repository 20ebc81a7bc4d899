/* Carom: short names for carom/json.h, for sources whose every second line builds or reads JSON. */
#ifndef CAROM_JSON_SHORT_H
#define CAROM_JSON_SHORT_H

#include "carom/json.h"

#define json_t                carom_json
#define json_incref           carom_json_share
#define json_decref           carom_json_free
#define json_boolean          carom_json_boolean
#define json_true()           carom_json_boolean(true)
#define json_false()          carom_json_boolean(false)
#define json_null             carom_json_null
#define json_real             carom_json_real
#define json_integer(value)   carom_json_real((double)(value))
#define json_string           carom_json_string
#define json_number_value     carom_json_number_value
#define json_string_value     carom_json_string_value
#define json_array            carom_json_array
#define json_array_size       carom_json_array_size
#define json_array_get        carom_json_array_get
#define json_array_set_new    carom_json_array_set_new
#define json_array_append_new carom_json_array_append_new
#define json_object           carom_json_object
#define json_object_size      carom_json_object_size
#define json_object_get       carom_json_object_get
#define json_object_set       carom_json_object_set
#define json_object_set_new   carom_json_object_set_new
#define json_object_del       carom_json_object_del
#define json_object_update    carom_json_object_update
#define json_object_key       carom_json_object_key
#define json_object_value     carom_json_object_value
#define json_copy             carom_json_copy
#define json_deep_copy        carom_json_deep_copy
#define json_equal            carom_json_equal
#define json_pack             carom_json_pack
#define json_parse            carom_json_parse
#define json_print            carom_json_print
#define json_text             carom_json_text

#define json_is_object(value)  carom_json_is(value, CAROM_JSON_OBJECT)
#define json_is_array(value)   carom_json_is(value, CAROM_JSON_ARRAY)
#define json_is_string(value)  carom_json_is(value, CAROM_JSON_STRING)
#define json_is_number(value)  carom_json_is(value, CAROM_JSON_NUMBER)
#define json_is_true(value)    carom_json_is(value, CAROM_JSON_TRUE)
#define json_is_false(value)   carom_json_is(value, CAROM_JSON_FALSE)
#define json_is_null(value)    carom_json_is(value, CAROM_JSON_NULL)
#define json_is_boolean(value) (json_is_true(value) || json_is_false(value))

/* A value that the loop replaces or removes is no longer visited; what follows is. */
#define json_array_foreach(array, i, value)                                                                            \
    for (i = 0; i < carom_json_array_size(array) && (value = carom_json_array_get(array, i)); i++)
#define json_object_foreach(object, key, value)                                                                        \
    for (size_t json_i = 0;                                                                                            \
         (key = carom_json_object_key(object, json_i)) && (value = carom_json_object_value(object, json_i)); json_i++)

#endif
