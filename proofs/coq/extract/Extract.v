(** The verdict as an OCaml program. Numbers stay Coq's own; strings become OCaml's. *)
From DPchecker Require Import Json Decode Quoted Told Verdict.
From Coq Require Import List String.
Require Extraction.
From Coq Require Import ExtrOcamlBasic ExtrOcamlNativeString.
Definition rules_followed : list string := map fst shapes.
Extraction "verdict.ml" verdict_on told_of quoted quoted_path rules_followed.
