(** * JSON, and what every reader of it needs

    A certificate is read from the very tree that its file holds. [Bad] stands where JSON held what no certificate holds: a
    bare number, or an object with a repeated key. *)
From Coq Require Import String List ZArith QArith Bool Ascii.
Import ListNotations.
Open Scope string_scope.
Set Implicit Arguments.

Inductive json :=
| JNull
| JBool (b : bool)
| JText (s : string)
| JList (l : list json)
| JObject (fields : list (string * json))
| JBad.

Definition bind_option {A B} (x : option A) (f : A -> option B) : option B := match x with Some a => f a | None => None end.
Notation "'let*' x := e 'in' f" := (bind_option e (fun x => f)) (at level 200, x pattern, right associativity).
Definition guard (b : bool) : option unit := if b then Some tt else None.

Section All.
Variables (A B : Type) (f : A -> option B).
Fixpoint all_of (l : list A) : option (list B) :=
  match l with
  | [] => Some []
  | a :: l => let* b := f a in let* bs := all_of l in Some (b :: bs)
  end.
End All.

Definition get {A} (name : string) (fields : list (string * A)) : option A :=
  match find (fun p => String.eqb name (fst p)) fields with Some (_, x) => Some x | None => None end.

Definition member (s : string) (l : list string) : bool := existsb (String.eqb s) l.

(** The fields of an object with exactly these names. *)
Definition fields_of (names : list string) (x : json) : option (list (string * json)) :=
  match x with
  | JObject fs => let* _ := guard (Nat.eqb (length fs) (length names) && forallb (fun p => member (fst p) names) fs) in Some fs
  | _ => None
  end.

Definition text (x : json) : option string := match x with JText s => Some s | _ => None end.
Definition list_of (x : json) : option (list json) := match x with JList l => Some l | _ => None end.
Definition object_of (x : json) : option (list (string * json)) := match x with JObject l => Some l | _ => None end.
Definition some_of (x : json) : option (list json) := match x with JList [] => None | JList l => Some l | _ => None end.
Definition maybe {A} (read : json -> option A) (x : json) : option (option A) :=
  match x with JNull => Some None | _ => let* a := read x in Some (Some a) end.
Definition texts (x : json) : option (list string) := let* l := list_of x in all_of text l.

(** ** Numbers: texts such as -3 or 1/2, in lowest terms *)
Definition digit (c : ascii) : option Z :=
  let n := Z.of_N (N_of_ascii c) in if (48 <=? n)%Z && (n <=? 57)%Z then Some (n - 48)%Z else None.

(** Texts are looked through as lists: of an OCaml string each tail would be a copy. *)
Fixpoint digits (l : list ascii) (z : Z) : option Z :=
  match l with [] => Some z | c :: l => let* n := digit c in digits l (10 * z + n)%Z end.

(** Without going further than it has to. *)
Fixpoint no_longer {A} (n : Z) (l : list A) : bool := match l with [] => true | _ :: l => if (n <=? 0)%Z then false else no_longer (n - 1) l end.

(** Digits without a leading zero, a thousand at most. *)
Definition natural (l : list ascii) : option Z :=
  match l with
  | [] => None
  | c :: rest =>
      let* _ := guard (no_longer 1000 l && (negb (Ascii.eqb c "0"%char) || match rest with [] => true | _ => false end)) in digits l 0%Z
  end.

Fixpoint cut (c : ascii) (l : list ascii) : list ascii * option (list ascii) :=
  match l with [] => ([], None) | a :: l => if Ascii.eqb a c then ([], Some l) else let (x, y) := cut c l in (a :: x, y) end.

Definition integer (l : list ascii) : option Z :=
  match l with
  | "-"%char :: l => let* z := natural l in let* _ := guard (negb (Z.eqb z 0) && no_longer 999 l) in Some (- z)%Z
  | _ => natural l
  end.

(** Of powers of two it is quickly said what they have in common with a number. *)
Fixpoint two_to (p : positive) : bool := match p with xH => true | xO p => two_to p | xI _ => false end.

Definition rational (s : string) : option Q :=
  let l := list_ascii_of_string s in
  let* _ := guard (no_longer 2001 l) in
  match cut "/"%char l with
  | (p, None) => let* z := integer p in Some (inject_Z z)
  | (p, Some q) =>
      let* z := integer p in let* n := natural q in
      match n with
      | Zpos d => let* _ := guard (negb (Pos.eqb d 1)) in let* _ := guard (if two_to d then Z.odd z else Z.eqb (Z.gcd z n) 1) in Some (z # d)%Q
      | _ => None
      end
  end.

Definition number_ (x : json) : option Q := let* s := text x in rational s.
Definition number_if (holds : Q -> bool) (x : json) : option Q := let* q := number_ x in let* _ := guard (holds q) in Some q.

Definition Qlt_bool (a b : Q) : bool := negb (Qle_bool b a).
Definition is_whole (q : Q) : bool := Pos.eqb (Qden q) 1.
Definition positive_ := number_if (fun q => Qlt_bool 0 q).
Definition from_zero := number_if (fun q => Qle_bool 0 q).
Definition unit_ := number_if (fun q => Qlt_bool 0 q && Qlt_bool q 1).
Definition above_one := number_if (fun q => Qlt_bool 1 q).
Definition counting (x : json) : option positive :=
  let* q := number_ x in let* _ := guard (is_whole q) in match Qnum q with Zpos p => Some p | _ => None end.
Definition whole_number (x : json) : option Z := let* q := number_ x in let* _ := guard (is_whole q) in Some (Qnum q).
