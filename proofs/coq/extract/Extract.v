(** The verdict as an OCaml program. Numbers stay Coq's own; strings become OCaml's. *)
From DPchecker Require Import Json Decode Quoted Told Verdict.
From Coq Require Import List String.
Require Extraction.
From Coq Require Import ExtrOcamlBasic ExtrOcamlNativeString.
(* Byte by byte, as Coq's; by itself each byte would be cut off with a copy of the rest. *)
Extract Inlined Constant String.compare =>
  "(fun s t -> let c = Stdlib.compare (s : string) t in if c < 0 then Lt else if c > 0 then Gt else Eq)".
Definition rules_followed : list string := map fst shapes.
Extraction "verdict.ml" verdict_on told_of quoted_path rules_followed.
