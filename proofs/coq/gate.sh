#!/bin/sh
# sh gate.sh files -Q DIR NAME... MODULE...     coqchk checks the modules, and all that they rest on, again from nothing
# sh gate.sh theorems < FILE.v                  Coq says on what the last definition of the file rests
# Fails, with the lines that are too many, where anything is relied on but the four axioms of Coq's standard library: another
# axiom, `Admitted`, type-in-type, a recursion that was not seen to end, an inductive type that was not seen to be one.
set -eu
cd "$(dirname "$0")"
axioms='Coq.Logic.Classical_Prop.classic
Coq.Logic.FunctionalExtensionality.functional_extensionality_dep
Coq.Reals.ClassicalDedekindReals.sig_forall_dec
Coq.Reals.ClassicalDedekindReals.sig_not_dec'
whole='* Theory: Set is predicative
* Constants/Inductives relying on type-in-type: <none>
* Constants/Inductives relying on unsafe (co)fixpoints: <none>
* Inductives whose positivity is assumed: <none>'

refuse() { printf '%s\n' "$1" >&2; exit 1; }
# The lines of standard input that are none of those given.
others() { grep -vxF -e "$1" || [ $? = 1 ]; }

kind=$1; shift
said=$(mktemp); trap 'rm -f "$said"' EXIT
case $kind in
  files)
    coqchk -silent -o "$@" > "$said" 2>&1 || refuse "$(cat "$said")"
    summary=$(sed -n '/^\* /,$p' "$said" | sed 's/^ *//; s/ *$//; /^$/d')
    more=$(printf '%s\n' "$summary" | others "$(printf '%s\n%s\n* Axioms:\n* Axioms: <none>' "$whole" "$axioms")")
    [ -z "$more" ] || refuse "coqchk finds that they rest on: $more"
    missing=$(printf '%s\n' "$whole" | others "$summary")
    [ -z "$missing" ] || refuse "coqchk does not say: $missing" ;;
  theorems)
    cat > "$said.v"; trap 'rm -f "$said" "$said.v"' EXIT
    coqtop -Q theory DPcore -Q checker DPchecker -w none -batch -l "$said.v" > "$said" 2>&1 || refuse "$(cat "$said")"
    # Each begins a line: `name : type`, or `name is assumed to be guarded.`; what the type is goes on below, set in.
    found=$(sed -n '/^Axioms:$/,$p' "$said" | sed '1d; /^ /d; s/ :.*//')
    [ -n "$found" ] || refuse "Coq does not say on what they rest: $(cat "$said")"
    more=$(printf '%s\n' "$found" | others "$(printf '%s' "$axioms" | sed 's/^Coq\.[A-Za-z]*\.//')")
    [ -z "$more" ] || refuse "Coq says that they rest on: $more" ;;
  *) refuse "files, or theorems" ;;
esac
