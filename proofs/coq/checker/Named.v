(** * What is found by its name: in a tree, where there are many

    To look through all names for each of them takes a time that grows as the square of how many there are. *)
From Coq Require Import String List ZArith Bool FMapAVL FMapFacts OrderedType.
From DPchecker Require Import Json Language Ordered Meaning.
Import ListNotations.
Set Implicit Arguments.

Module TextOrder <: OrderedType.
  Definition t := string.
  Definition eq : t -> t -> Prop := @Logic.eq string.
  Definition lt (s u : t) : Prop := String.compare s u = Lt.
  Lemma eq_refl : forall s : t, eq s s. Proof. intros s. reflexivity. Qed.
  Lemma eq_sym : forall s u : t, eq s u -> eq u s. Proof. intros s u E. now symmetry. Qed.
  Lemma eq_trans : forall s u v : t, eq s u -> eq u v -> eq s v. Proof. intros s u v E F. now transitivity u. Qed.
  Lemma lt_trans : forall s u v : t, lt s u -> lt u v -> lt s v. Proof. intros s u v. apply text_order. Qed.
  Lemma lt_not_eq : forall s u : t, lt s u -> ~ eq s u.
  Proof. intros s u L E. unfold lt, eq in *. subst. now rewrite (proj2 (order_eq (CText u) (CText u)) Logic.eq_refl : String.compare u u = Eq) in L. Qed.
  Definition compare (s u : t) : Compare lt eq s u.
  Proof.
    destruct (String.compare s u) eqn:E.
    - apply EQ. now apply String.compare_eq_iff in E.
    - now apply LT.
    - apply GT. unfold lt. now rewrite String.compare_antisym, E.
  Defined.
  Definition eq_dec : forall s u : t, {eq s u} + {~ eq s u} := String.string_dec.
End TextOrder.
Module Tree := FMapAVL.Make TextOrder.
Module TreeFacts := FMapFacts.Facts Tree.

Section Named.
Variable A : Type.

(** Of what stands there twice, the first. *)
Definition tree_of (fields : list (string * A)) : Tree.t A := fold_right (fun p t => Tree.add (fst p) (snd p) t) (Tree.empty A) fields.

Theorem find_in_tree name fields : Tree.find name (tree_of fields) = get name fields.
Proof.
  unfold get. induction fields as [|[k x] fields IH]; [apply TreeFacts.empty_o|].
  cbn [tree_of fold_right fst snd find]. fold (tree_of fields). destruct (String.eqb name k) eqn:E.
  - apply String.eqb_eq in E as ->. now apply TreeFacts.add_eq_o.
  - apply String.eqb_neq in E. rewrite TreeFacts.add_neq_o by congruence. exact IH.
Qed.

(** A list, and the tree of it where more is asked of it than it takes to make one. *)
Definition named : Type := list (string * A) * option (Tree.t A).
Definition asked_of (times : Z) (fields : list (string * A)) : named :=
  (fields, if Z.leb 16 times then Some (tree_of fields) else None).
Definition by_name (name : string) (among : named) : option A :=
  match snd among with Some t => Tree.find name t | None => get name (fst among) end.

Definition all_named {B} (fields : list (string * B)) (among : named) : bool :=
  forallb (fun p => match by_name (fst p) among with Some _ => true | None => false end) fields.

Theorem by_name_is name times fields : by_name name (asked_of times fields) = get name fields.
Proof. unfold by_name, asked_of. cbn [fst snd]. destruct (Z.leb 16 times); [apply find_in_tree | reflexivity]. Qed.
End Named.

(** Rows where some fields were dropped if missing, with each looked for in the tree. *)
Definition nulls_dropped (names : list string) (d : domain) : domain :=
  match names, d with
  | [], d => present d
  | _, DFields fs =>
      let dropped := asked_of (Zlength fs) (map (fun s => (s, tt)) names) in
      DFields (map (fun p => (fst p, match by_name (fst p) dropped with Some _ => present (snd p) | None => snd p end)) fs)
  | _, d => d
  end.

Theorem nulls_dropped_is names d : nulls_dropped names d = without_nulls names d.
Proof.
  destruct names as [|s names]; [reflexivity|]. destruct d as [| | | | | |fs| | | | |]; try reflexivity. cbn [nulls_dropped without_nulls]. cbv zeta.
  f_equal. apply map_ext. intros [k d]. cbn [fst snd]. rewrite by_name_is. f_equal.
  generalize (s :: names). clear. intros names. unfold get. induction names as [|s names IH]; [reflexivity|].
  cbn [map find existsb fst]. destruct (String.eqb k s); [reflexivity | exact IH].
Qed.
