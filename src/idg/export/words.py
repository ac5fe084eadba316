"""Words that a name of a program cannot be in a target: its keywords, and names of its library and of our helpers."""

from __future__ import annotations

_DAFNY = """
Main ORDINAL abs_int abstract allocated array as assert assume bool break bv1 by calc case char class codatatype colemma const
constructor copredicate datatype decreases else ensures exists expect export extends false floor_div floor_mod forall fresh
function gcd ghost greatest if imap import in include inductive int invariant is is_power iset iterator label least lemma map
match method modifies modify module multiset nameonly nat new newtype null object object? old opaque opened positive pow_int
pow_real predicate print protected provides quotient reads real refines requires return returns reveal reveals seq set static
string then this trait true twostate type unchanged var where while witness yield yields
"""
_BOOGIE = """
occurrences_bool occurrences_int occurrences_real permutation_bool permutation_int permutation_real
assert assume async axiom bool break call complete const div else ensures exists extends false finite float floor_div
floor_mod forall free function gcd gcd_inner goto havoc if implementation int invariant is_power is_power_inner lambda mod
modifies old par pow_int pow_int_inner pow_real pow_real_inner procedure quotient real requires return returns rmode then true
type unique var where while yield yields
"""
_WHY3 = """
append concat cons create empty exchange get length mem occ occ_all permut permut_all permut_sub reverse seq seq_eq_sub set
singleton snoc swap_permutes
abs abstract absurd alias any as assert assume at axiom begin bool break by ceil check clone coinductive constant continue
coprime div diverges divides do done downto else end ensures epsilon even exception exists export false float floor floor_div
floor_mod for forall from_int fun function gcd ghost goal if import in inductive infix int invariant is_power label lemma let
match max meta min mod module mutable not odd old one partial power predicate prefix prime private pure quotient raise raises
range reads real rec ref requires result return returns scope so sqr sqrt then theory to true truncate try type unit use val
value variant while with writes zero
"""

_ACSL = """
admit allocates any_bool any_int any_real assert assigns assumes auto axiom axiomatic behavior behaviors boolean break breaks calls
case char check chosen complete const continue continues decreases default disjoint do double else ensures enum exits extern float
floor_div floor_mod for frees gcd ghost global goto if impact import include inductive inline int integer invariant is_power label
lemma logic long loop main model module pow_int pow_real pragma predicate quotient reads real register requires restrict return
returns set short signed sizeof slice static strong struct switch terminates type typedef typeof union unsigned variant void
volatile weak while writes
"""

_C = """
_Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local
auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return
short signed sizeof static struct switch typedef union unsigned void volatile while
"""

DAFNY_WORDS = frozenset(_DAFNY.split())
BOOGIE_WORDS = frozenset(_BOOGIE.split())
WHY3_WORDS = frozenset(_WHY3.split())
ACSL_WORDS = frozenset((_ACSL + _C).split())
C_WORDS = frozenset(_C.split())
