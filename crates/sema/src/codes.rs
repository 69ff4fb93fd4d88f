//! Every diagnostic code with its name and meaning, in one table, so that the
//! documentation can be generated. P0001–P0199 belong to the syntax crate.

use spinor_base::Severity;

/// One stable diagnostic code.
#[derive(Clone, Copy, Debug)]
pub struct Code {
    /// `P0200` …
    pub id: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// Short name in kebab case.
    pub name: &'static str,
    /// One line: when it is given.
    pub meaning: &'static str,
}

macro_rules! codes {
    ($($konst:ident = $id:literal $severity:ident $name:literal: $meaning:literal;)*) => {
        $(pub(crate) const $konst: &str = $id;)*

        /// All codes of this crate, in order.
        pub static CODES: &[Code] = &[
            $(Code { id: $id, severity: Severity::$severity, name: $name, meaning: $meaning },)*
        ];
    };
}

codes! {
    UNDECLARED = "P0200" Error "undeclared-name": "a name is used that no declaration introduces";
    USE_BEFORE = "P0201" Error "use-before-declaration": "a name is used above its declaration";
    REDECLARED = "P0202" Error "redeclaration": "a name is declared while another one of that name is visible";
    UNKNOWN_TYPE = "P0203" Error "unknown-type": "a type name has no `typedef` above";
    WRONG_KIND = "P0204" Error "not-a-variable": "a proctype, type or constant stands where a variable is needed";
    NO_FIELD = "P0205" Error "no-such-field": "a record has no field of that name";
    NOT_RECORD = "P0206" Error "not-a-record": "a field is taken of something that is not a record";
    WHOLE_RECORD = "P0207" Error "whole-record": "a record is used as a value";
    NOT_ARRAY = "P0208" Error "not-an-array": "something that is not an array is indexed";
    NOT_CONSTANT = "P0209" Error "not-constant": "a constant expression is needed";
    DIV_ZERO = "P0210" Error "constant-division-by-zero": "a constant expression divides by zero";
    BAD_SIZE = "P0211" Error "bad-array-size": "an array has no element, or a model too many values";
    BAD_WIDTH = "P0212" Error "bad-width": "`unsigned` needs a width of 1 to 31 bits, other types have none";
    BAD_CAPACITY = "P0213" Error "bad-capacity": "a channel capacity is negative or too large";
    BAD_FIELD_TYPE = "P0214" Error "bad-message-type": "a type cannot be used as a message field";
    BAD_INIT = "P0215" Error "bad-initialiser": "an initialiser does not suit the declared variable";
    BAD_HIDDEN = "P0216" Error "bad-hidden": "`hidden` stands on a local, a bit or a channel";
    BAD_PARAM = "P0217" Error "bad-parameter": "a parameter is an array, contains one, or has an initialiser";
    TOO_MANY_MTYPES = "P0218" Error "too-many-mtypes": "an mtype has more than 255 names";
    BAD_ACTIVE = "P0219" Error "bad-active-count": "the number of active processes is not in 0..255";
    BAD_PRIORITY = "P0220" Error "bad-priority": "a priority is not in 1..255";
    NO_PROCESS = "P0221" Error "no-process": "the model has no process that could run";
    UNKNOWN_PROCTYPE = "P0222" Error "unknown-proctype": "`run` or a remote reference names no proctype";
    WRONG_ARGS = "P0223" Error "wrong-argument-count": "`run` has too few or too many arguments";
    BAD_RUN = "P0224" Error "misplaced-run": "`run` stands where it may not be evaluated";
    READ_SINK = "P0225" Error "read-of-sink": "the write-only variable `_` is read";
    BAD_TARGET = "P0226" Error "bad-assignment-target": "the left side cannot be assigned to";
    CHAN_ARITHMETIC = "P0227" Error "channel-arithmetic": "a channel is used as a number";
    NOT_CHANNEL = "P0228" Error "not-a-channel": "a channel is needed";
    RECEIVE_TWICE = "P0229" Error "receive-twice": "one receive stores two fields in the same variable";
    BAD_PROBE = "P0230" Error "misplaced-probe": "a channel probe is negated or part of arithmetic";
    UNDEFINED_LABEL = "P0231" Error "undefined-label": "a label does not exist";
    DUPLICATE_LABEL = "P0232" Error "duplicate-label": "a label is defined twice in one block";
    BAD_LABEL = "P0233" Error "misplaced-label": "a label stands before a declaration or inside the block it should precede";
    BAD_BREAK = "P0234" Error "break-outside-loop": "`break` stands outside every loop";
    CROSS_DSTEP = "P0235" Error "jump-across-d_step": "`goto` or `break` crosses the border of a `d_step`";
    DUPLICATE_ELSE = "P0236" Error "duplicate-else": "a choice has more than one `else`";
    IN_DSTEP = "P0237" Error "not-in-d_step": "a construct is not allowed in a `d_step`";
    EMPTY_BLOCK = "P0238" Error "empty-block": "a block contains no statement";
    BAD_LOOP = "P0239" Error "bad-loop-header": "the index or container of a `for` or `select` does not suit";
    CLAIM_IO = "P0240" Error "claim-with-io": "a never claim sends or receives";
    NOT_EVENT = "P0241" Error "not-an-event": "a trace contains something other than sends, receives and control flow";
    DUPLICATE_CLAIM = "P0242" Error "duplicate-claim": "two claims, ltl formulas or traces clash";
    NP_OUTSIDE = "P0243" Error "np-outside-claim": "`np_` is used outside a never claim or formula";
    BAD_REMOTE = "P0244" Error "bad-remote-reference": "a remote reference names an unknown variable";
    BAD_EXCLUSIVE = "P0245" Error "bad-exclusive": "`xr` or `xs` is misplaced or does not name a channel";
    EMBEDDED_C = "P0246" Error "embedded-c": "a form of embedded C is wrong or stands in a wrong place";
    DUPLICATE_INIT = "P0247" Error "duplicate-init": "the model has two `init` processes";
    C_SIDE_EFFECT = "P0248" Error "c-side-effect": "a `c_expr` assigns to something";
    UNUSED_VARIABLE = "P0300" Warning "unused-variable": "a variable is never mentioned";
    UNUSED_PROCTYPE = "P0301" Warning "unused-proctype": "a proctype is neither active nor run";
    UNUSED_INLINE = "P0302" Warning "unused-inline": "an inline is never called";
    UNREACHABLE = "P0303" Warning "unreachable": "no path leads to a statement";
    TRUNCATED = "P0304" Warning "truncated-constant": "a constant does not fit the variable it is stored in";
    ELSE_WITH_IO = "P0305" Warning "else-with-io": "`else` stands next to a channel operation";
    MTYPE_MISMATCH = "P0306" Warning "mtype-mismatch": "names or variables of different mtype sets are mixed";
    MISSING_INDEX = "P0307" Warning "missing-index": "an array is used without index: element 0 is meant";
    SCALAR_INDEXED = "P0308" Warning "scalar-indexed": "a variable that is no array is indexed with 0";
    BOUND_FROM_VARIABLE = "P0309" Warning "constant-from-variable": "a constant is taken from a variable's initialiser";
    ARITY = "P0310" Warning "message-arity": "a message has another number of fields than its channel";
    LATE_CHANNEL = "P0311" Warning "late-channel": "a channel is declared inside a body but created with the process";
    LATE_ARRAY_INIT = "P0312" Warning "late-array-initialiser": "an array initialiser inside a body sets element 0 only";
    LABEL_IN_OPTION = "P0313" Warning "label-in-option": "a label stands on the guard of an option";
    LONE_ELSE = "P0314" Warning "lone-else": "`else` has no alternative and is always executable";
    CLAIM_EFFECT = "P0315" Warning "claim-side-effect": "a never claim assigns or declares variables";
    EMPTY_RANGE = "P0316" Warning "empty-range": "a loop or selection starts above its end";
    EMPTY_MTYPE = "P0317" Warning "empty-mtype": "an mtype subtype has no names";
    LONG_LIST = "P0318" Warning "long-initialiser": "an initialiser list has more values than the array has elements";
    AMBIGUOUS_LABEL = "P0319" Warning "ambiguous-label": "a jump could mean several labels of that name";
    CONFLICTING_EXCLUSIVE = "P0321" Warning "conflicting-exclusive": "two proctypes promise exclusive use of one channel";
    IGNORED_INIT = "P0322" Warning "ignored-initialiser": "a record is given an initialiser, which has no effect";
    PRINTF = "P0323" Warning "printf-arguments": "`printf` has other arguments than its text asks for";
    INDEX_RANGE = "P0324" Warning "index-out-of-range": "a constant index lies outside the array";
    DIVISION = "P0325" Warning "division-by-zero": "a division by the constant 0";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_ordered_and_in_range() {
        assert!(CODES.windows(2).all(|w| w[0].id < w[1].id));
        for code in CODES {
            let number: u32 = code.id[1..].parse().expect("P and digits");
            let expected = if number < 300 { Severity::Error } else { Severity::Warning };
            assert_eq!(code.severity, expected, "{}", code.id);
        }
    }
}
