/* What embedded C prints, and how it ends: both are the checker's business. */
#ifndef SPINOR_IO_H
#define SPINOR_IO_H
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
int spinor_printf(const char *format, ...);
int spinor_vprintf(const char *format, va_list args);
int spinor_puts(const char *text);
int spinor_putchar(int c);
void spinor_exit(int code);
void spinor_abort(void);
#ifdef __cplusplus
}
#endif

#define printf spinor_printf
#define Printf spinor_printf
#define vprintf spinor_vprintf
#define puts spinor_puts
#undef putchar
#define putchar spinor_putchar
#define exit spinor_exit
#define _exit spinor_exit
#define abort spinor_abort
#endif
