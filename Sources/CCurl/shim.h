#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

/* curl's type-checking macros require the option to be a constant. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

static inline CURLcode iapkg_curl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

/* Swift cannot call the variadic curl_easy_setopt, so there is a function for each type of value. */

static inline CURLcode iapkg_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode iapkg_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode iapkg_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode iapkg_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode iapkg_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}

/* CURLOPT_WRITEFUNCTION, CURLOPT_HEADERFUNCTION and CURLOPT_READFUNCTION have the same type. */
static inline CURLcode iapkg_curl_set_data_function(
    CURL *handle, CURLoption option, size_t (*function)(char *bytes, size_t size, size_t count, void *context)) {
  return curl_easy_setopt(handle, option, function);
}

static inline CURLcode iapkg_curl_set_seek_function(
    CURL *handle, int (*function)(void *context, curl_off_t offset, int origin)) {
  return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, function);
}

/* The status of a proxy's response to CONNECT; 0 if there was none. */
static inline long iapkg_curl_connect_status(CURL *handle) {
  long status = 0;
  return curl_easy_getinfo(handle, CURLINFO_HTTP_CONNECTCODE, &status) == CURLE_OK ? status : 0;
}

/* Resumes a paused transfer. */
static inline CURLcode iapkg_curl_resume(CURL *handle) { return curl_easy_pause(handle, CURLPAUSE_CONT); }

#endif
