/* Carom: linkage, visibility and version. Included by every other header. */
#ifndef CAROM_EXPORT_H
#define CAROM_EXPORT_H

#define CAROM_VERSION_MAJOR 0
#define CAROM_VERSION_MINOR 1
#define CAROM_VERSION_PATCH 0
#define CAROM_VERSION       "0.1.0"

#ifdef __cplusplus
#define CAROM_BEGIN extern "C" {
#define CAROM_END   }
#else
#define CAROM_BEGIN
#define CAROM_END
#endif

/* The library is built with hidden visibility; what carries CAROM_API is public. */
#if defined(__GNUC__)
#define CAROM_API      __attribute__((visibility("default")))
#define CAROM_MUST_USE __attribute__((warn_unused_result))
#else
#define CAROM_API
#define CAROM_MUST_USE
#endif

CAROM_BEGIN
/* The version of the library that is linked, e.g. "0.1.0"; compare with CAROM_VERSION of the headers. */
CAROM_API const char *carom_version(void);
CAROM_END

#endif
