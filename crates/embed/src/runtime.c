/* Between the checker and embedded C. */
#include <setjmp.h>

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#error embedded C needs a machine that stores the least significant byte first
#endif

typedef unsigned char uchar;

#ifdef __cplusplus
#define SPINOR_API extern "C" __attribute__((visibility("default")))
#else
#define SPINOR_API __attribute__((visibility("default")))
#endif

/* Why a call did not come to its end: the upper half of its result. */
#define SPINOR_PRECONDITION 1
#define SPINOR_ASSERTION 2
#define SPINOR_ABORT 5
#define SPINOR_EXIT 6

/* Every call begins with a place to jump to: the compiler's own way is the cheaper one, where it is known. */
#if defined(__GNUC__) && !defined(__TINYC__) && defined(__x86_64__)
#define SPINOR_APART __attribute__((noinline))
static void *spinor_jump[5];
static int spinor_why;
#define SPINOR_SET (__builtin_setjmp(spinor_jump) ? spinor_why : 0)
#define SPINOR_JUMP(why) (spinor_why = (why), __builtin_longjmp(spinor_jump, 1))
#else
#define SPINOR_APART
static jmp_buf spinor_jump;
#define SPINOR_SET _setjmp(spinor_jump)
#define SPINOR_JUMP(why) longjmp(spinor_jump, why)
#endif

/* Takes what is printed, if somebody listens. */
static void (*spinor_listener)(const char *text, size_t length);

/* Ends the call that is going on. */
SPINOR_API SPINOR_APART void spinor_escape(int why)
{
	SPINOR_JUMP(why);
}

SPINOR_API void spinor_listen(void (*listener)(const char *text, size_t length))
{
	spinor_listener = listener;
}

#undef printf
#undef vprintf
#undef puts
#undef putchar
#undef exit
#undef abort

static void spinor_hear(const char *text, size_t length)
{
	if (spinor_listener)
		spinor_listener(text, length);
}

#ifdef __cplusplus
extern "C" {
#endif

int spinor_vprintf(const char *format, va_list args)
{
	char small[512], *text = small;
	va_list again;
	int length;

	va_copy(again, args);
	length = vsnprintf(small, sizeof small, format, args);
	if (length >= (int) sizeof small) {
		text = (char *) __builtin_alloca((size_t) length + 1);
		vsnprintf(text, (size_t) length + 1, format, again);
	}
	va_end(again);
	if (length > 0)
		spinor_hear(text, (size_t) length);
	return length;
}

int spinor_printf(const char *format, ...)
{
	va_list args;
	int length;

	if (!spinor_listener)
		return 0;
	va_start(args, format);
	length = spinor_vprintf(format, args);
	va_end(args);
	return length;
}

int spinor_puts(const char *text)
{
	spinor_hear(text, strlen(text));
	spinor_hear("\n", 1);
	return 1;
}

int spinor_putchar(int c)
{
	char text = (char) c;

	spinor_hear(&text, 1);
	return c;
}

void spinor_exit(int code)
{
	(void) code;
	spinor_escape(SPINOR_EXIT);
}

void spinor_abort(void)
{
	spinor_escape(SPINOR_ABORT);
}

#ifdef __GLIBC__
/* What `assert` calls when it fails. */
void __assert_fail(const char *text, const char *file, unsigned line, const char *function)
#ifdef __cplusplus
	throw()
#endif
{
	(void) text, (void) file, (void) line, (void) function;
	spinor_escape(SPINOR_ASSERTION);
	for (;;)
		;
}
#endif

#ifdef __cplusplus
}
#endif

#define printf spinor_printf
#define vprintf spinor_vprintf
#define puts spinor_puts
#define putchar spinor_putchar
#define exit spinor_exit
#define abort spinor_abort

#define SPINOR_LOAD8(at) ((at)[0])
#define SPINOR_LOAD16(at) ((unsigned) (at)[0] | (unsigned) (at)[1] << 8)
#define SPINOR_LOAD32(at) (SPINOR_LOAD16(at) | (unsigned) (at)[2] << 16 | (unsigned) (at)[3] << 24)
#define SPINOR_STORE8(at, value) ((at)[0] = (uchar) (value))
#define SPINOR_STORE16(at, value) (SPINOR_STORE8(at, value), (at)[1] = (uchar) ((unsigned) (value) >> 8))
#define SPINOR_STORE32(at, value) \
	(SPINOR_STORE16(at, value), (at)[2] = (uchar) ((unsigned) (value) >> 16), \
	 (at)[3] = (uchar) ((unsigned) (value) >> 24))
