(** * Texts of others in a verdict

    A text of others cannot pass for one of ours: it stands in quotes, in printable ASCII, and cut off where it is long. What is
    not is escaped; so is every colon, and a space at an end or after a space. So however lines are folded, what begins with
    a word and a colon is ours, and no spaces push what follows out of sight. *)
From Coq Require Import String List ZArith QArith Bool Ascii DecimalString.
From DPchecker Require Import Json Domains.
Import ListNotations.
Open Scope string_scope.
Set Implicit Arguments.

(** The characters of a text in UTF-8; [more] bytes are still to come of the character [n]. *)
Fixpoint characters_in (more : nat) (n : N) (l : list ascii) (before : list N) : list N :=
  match l with
  | [] => rev' before
  | c :: l =>
      let k := N_of_ascii c in
      match more with
      | S O => characters_in 0 0 l ((n * 64 + N.modulo k 64)%N :: before)
      | S m => characters_in m (n * 64 + N.modulo k 64) l before
      | O =>
          if N.ltb k 128 then characters_in 0 0 l (k :: before)
          else if N.ltb k 224 then characters_in 1 (N.modulo k 32) l before
          else if N.ltb k 240 then characters_in 2 (N.modulo k 16) l before
          else characters_in 3 (N.modulo k 8) l before
      end
  end.
Definition characters (s : string) : list N := characters_in 0 0 (list_ascii_of_string s) [].

Definition ends (l : list N) : bool := match l with [] => true | c :: _ => N.eqb c 32 end.
(** [previous] is a space at the start. *)
Fixpoint spelt (previous : N) (l : list N) : string :=
  match l with
  | [] => ""
  | c :: l =>
      (if N.eqb c 32 then if (N.eqb previous 32 || ends l)%bool then code_point c else " "
       else if N.eqb c 34 then "\""" else if N.eqb c 92 then "\\"
       else if (N.ltb 32 c && N.ltb c 127 && negb (N.eqb c 58))%bool then String (ascii_of_N c) "" else code_point c) ++ spelt c l
  end.

Definition digits_of (z : Z) : string := NilZero.string_of_int (Z.to_int z).
Definition cut_at (most : nat) (l : list N) : string :=
  """" ++ spelt 32 (firstn most l) ++ """" ++ match skipn most l with [] => "" | _ => "... (" ++ digits_of (Zlength l) ++ " characters)" end.
Definition quoted (s : string) : string := cut_at 64 (characters s).
Definition quoted_path (s : string) : string := cut_at (64 * 64) (characters s).

(** Of a text with colons, one piece after the other. *)
Fixpoint cut_at_colons (piece l : list N) : list (list N) :=
  match l with
  | [] => [rev piece]
  | c :: l => if N.eqb c 58 then
                match l with
                | d :: l' => if N.eqb d 32 then rev piece :: cut_at_colons [] l' else cut_at_colons (c :: piece) l
                | [] => [rev (c :: piece)]
                end
              else cut_at_colons (c :: piece) l
  end.
Definition pieces (s : string) : string :=
  String.concat ": " (map (fun l => """" ++ spelt 32 l ++ """") (cut_at_colons [] (firstn 400 (characters s)))).
