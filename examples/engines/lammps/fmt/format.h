// Debian's headers of LAMMPS include a private copy of fmt and do not ship it. These declarations are enough where no
// formatted message is used.
#pragma once

#include <string>

namespace fmt
{
inline namespace v8_lmp
{

struct string_view {
    const char *text;
    size_t size;
    string_view(const char *s) : text(s), size(std::string(s).size())
    {
    }
    string_view(const std::string &s) : text(s.data()), size(s.size())
    {
    }
};

struct format_args {
    unsigned long long kinds;
    const void *values;
};

template <class... A, class S> format_args make_args_checked(const S &, const A &...)
{
    return {0, nullptr};
}

template <class... A> std::string format(A &&...)
{
    return {};
}

} // namespace v8_lmp
} // namespace fmt
