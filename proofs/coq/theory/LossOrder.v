(** * Losses: an ordered commutative monoid with upper bounds of two

    Numbers, pairs and curves are ordered and added coordinate by coordinate. *)
From Coq Require Import Reals Lra FunctionalExtensionality.
Open Scope R_scope.
Set Implicit Arguments.

Class losses (L : Type) := {
  zero : L;
  plus : L -> L -> L;
  join : L -> L -> L;
  le : L -> L -> Prop;
  le_refl : forall a, le a a;
  le_trans : forall a b c, le a b -> le b c -> le a c;
  plus_comm : forall a b, plus a b = plus b a;
  plus_assoc : forall a b c, plus a (plus b c) = plus (plus a b) c;
  plus_zero : forall a, plus zero a = a;
  plus_le : forall a b c d, le a b -> le c d -> le (plus a c) (plus b d);
  join_l : forall a b, le a (join a b);
  join_r : forall a b, le b (join a b) }.

#[export] Instance losses_number : losses R.
Proof.
  refine {| zero := 0; plus := Rplus; join := Rmax; le := Rle |}; intros; try lra; try ring;
  [apply Rmax_l | apply Rmax_r].
Defined.

#[export] Instance losses_pair : losses (R * R).
Proof.
  refine {| zero := (0, 0); plus := fun a b => (fst a + fst b, snd a + snd b);
            join := fun a b => (Rmax (fst a) (fst b), Rmax (snd a) (snd b));
            le := fun a b => fst a <= fst b /\ snd a <= snd b |};
  intros; repeat match goal with p : (R * R)%type |- _ => destruct p end; simpl in *; try lra; try (f_equal; ring);
  split; auto using Rmax_l, Rmax_r.
Defined.

#[export] Instance losses_curve : losses (R -> R).
Proof.
  refine {| zero := fun _ => 0; plus := fun f g x => f x + g x; join := fun f g x => Rmax (f x) (g x);
            le := fun f g => forall x, f x <= g x |};
  intros; try (apply functional_extensionality; intros; ring);
  eauto using Rmax_l, Rmax_r, Rle_refl, Rle_trans, Rplus_le_compat.
Defined.
