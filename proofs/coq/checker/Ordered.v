(** * Whether constants are all different, by putting them in order

    To compare each with all others takes a time that grows as the square of how many there are. In order, what is there
    twice stands side by side. *)
From Coq Require Import String List ZArith QArith Bool Permutation Orders Mergesort Sorted.
From DPchecker Require Import Language.
Import ListNotations.
Set Implicit Arguments.

(** ** An order of constants: first by kind, then by value as it is written *)
Definition kind_of (c : constant) : N :=
  match c with CNull => 0 | CTruth false => 1 | CTruth true => 2 | CText _ => 3 | CNumber _ => 4 | CDate _ => 5 end.
Definition constant_order (a b : constant) : comparison :=
  match a, b with
  | CText s, CText t | CDate s, CDate t => String.compare s t
  | CNumber p, CNumber q => match Z.compare (Qnum p) (Qnum q) with Eq => Pos.compare (Qden p) (Qden q) | c => c end
  | a, b => N.compare (kind_of a) (kind_of b)
  end.

Lemma order_eq a b : constant_order a b = Eq <-> a = b.
Proof.
  split.
  - destruct a as [|[]|s|[n d]|s], b as [|[]|t|[m e]|t]; cbn; try discriminate; try reflexivity; intros H.
    + now apply String.compare_eq_iff in H as ->.
    + destruct (Z.compare n m) eqn:E; try discriminate H. apply Z.compare_eq in E as ->. now apply Pos.compare_eq in H as ->.
    + now apply String.compare_eq_iff in H as ->.
  - intros <-. assert (same : forall s, String.compare s s = Eq).
    { induction s as [|c s IH]; [reflexivity|]. cbn. unfold Ascii.compare. now rewrite N.compare_refl. }
    destruct a as [|[]|s|[n d]|s]; cbn; auto. now rewrite Z.compare_refl, Pos.compare_refl.
Qed.

Lemma order_opposite a b : constant_order b a = CompOpp (constant_order a b).
Proof.
  destruct a as [|[]|s|[n d]|s], b as [|[]|t|[m e]|t]; cbn; try reflexivity; try apply String.compare_antisym.
  rewrite (Z.compare_antisym n m). destruct (Z.compare n m); cbn; [apply Pos.compare_antisym | reflexivity | reflexivity].
Qed.

Lemma text_order s : forall t u, String.compare s t = Lt -> String.compare t u = Lt -> String.compare s u = Lt.
Proof.
  induction s as [|a s IH]; intros [|b t] [|c u]; cbn; try discriminate; try reflexivity. unfold Ascii.compare.
  destruct (N.compare_spec (Ascii.N_of_ascii a) (Ascii.N_of_ascii b)) as [E|L|G]; try discriminate;
  destruct (N.compare_spec (Ascii.N_of_ascii b) (Ascii.N_of_ascii c)) as [E'|L'|G']; try discriminate; intros H K.
  - rewrite E, E', N.compare_refl. now apply IH with t.
  - rewrite E. now apply N.compare_lt_iff in L' as ->.
  - rewrite <- E'. now apply N.compare_lt_iff in L as ->.
  - assert (N.compare (Ascii.N_of_ascii a) (Ascii.N_of_ascii c) = Lt) as -> by (apply N.compare_lt_iff; now apply N.lt_trans with (1 := L)).
    reflexivity.
Qed.

Lemma order_trans a b c : constant_order a b = Lt -> constant_order b c = Lt -> constant_order a c = Lt.
Proof.
  destruct a as [|[]|s|[n d]|s], b as [|[]|t|[m e]|t], c as [|[]|u|[k f]|u]; cbn; try discriminate; try reflexivity; try apply text_order.
  intros H K. destruct (Z.compare_spec n m) as [E|L|G]; try discriminate H; destruct (Z.compare_spec m k) as [E'|L'|G']; try discriminate K.
  - subst. rewrite Z.compare_refl. rewrite Pos.compare_lt_iff in *. now apply Pos.lt_trans with (1 := H).
  - subst. now apply Z.compare_lt_iff in L' as ->.
  - subst. now apply Z.compare_lt_iff in L as ->.
  - assert (Z.compare n k = Lt) as -> by (apply Z.compare_lt_iff; now apply Z.lt_trans with (1 := L)). reflexivity.
Qed.

(** ** In order *)
Module InOrder <: TotalLeBool.
  Definition t := constant.
  Definition leb (a b : constant) : bool := match constant_order a b with Gt => false | _ => true end.
  Theorem leb_total : forall a b, leb a b = true \/ leb b a = true.
  Proof. intros a b. unfold leb. rewrite (order_opposite a b). destruct (constant_order a b); auto. Qed.
End InOrder.
Module ByOrder := Sort InOrder.
Module TextsInOrder <: TotalLeBool.
  Definition t := string.
  Definition leb := String.leb.
  Definition leb_total := String.leb_total.
End TextsInOrder.
Module ByText := Sort TextsInOrder.
Module FieldsInOrder <: TotalLeBool.
  Definition t := (string * domain)%type.
  Definition leb (a b : t) : bool := String.leb (fst a) (fst b).
  Definition leb_total (a b : t) := String.leb_total (fst a) (fst b).
End FieldsInOrder.
Module ByName := Sort FieldsInOrder.

(** Texts in order, each once. *)
Fixpoint each_once (l : list string) : list string :=
  match l with
  | s :: (t :: _) as l => if String.eqb s t then each_once l else s :: each_once l
  | l => l
  end.
Definition sorted_once (l : list string) : list string := each_once (ByText.sort l).
Lemma each_once_in l : incl l (each_once l).
Proof.
  induction l as [|s l IH]; intros x H; [destruct H|]. destruct l as [|t l]; [exact H|]. cbn [each_once]. destruct (String.eqb s t) eqn:E.
  - apply String.eqb_eq in E as ->. apply IH. destruct H as [->|H]; [now left | exact H].
  - destruct H as [->|H]; [now left | right; now apply IH].
Qed.
Lemma sorted_once_in l : incl l (sorted_once l).
Proof. intros x H. apply each_once_in. now apply Permutation_in with (1 := ByText.Permuted_sort l). Qed.

(** Each comes before the next. *)
Fixpoint ascending (l : list constant) : bool :=
  match l with
  | a :: (b :: _) as l => match constant_order a b with Lt => ascending l | _ => false end
  | _ => true
  end.
Definition distinct (l : list constant) : bool := if ascending l then true else ascending (ByOrder.sort l).

Lemma ascending_different l : ascending l = true -> NoDup l.
Proof.
  intros H. assert (S : StronglySorted (fun a b => constant_order a b = Lt) l).
  { apply Sorted_StronglySorted; [intros a b c; apply order_trans|]. induction l as [|a l IH]; [constructor|].
    destruct l as [|b l]; [repeat constructor|]. cbn [ascending] in H. destruct (constant_order a b) eqn:E; try discriminate H.
    constructor; [now apply IH | now constructor]. }
  clear H. induction S as [|a l _ IH F]; constructor; [|exact IH]. intros J. rewrite Forall_forall in F. specialize (F a J).
  cbn in F. now rewrite (proj2 (order_eq a a) eq_refl) in F.
Qed.

Lemma sorted_ascending l : Sorted (fun a b => is_true (InOrder.leb a b)) l -> NoDup l -> ascending l = true.
Proof.
  induction 1 as [|a l S IH H]; intros N; [reflexivity|]. destruct l as [|b l]; [reflexivity|]. cbn [ascending].
  inversion N as [|x k J N']; subst. inversion H as [|x k L]; subst. unfold is_true, InOrder.leb in L.
  destruct (constant_order a b) eqn:E; [|now apply IH | discriminate L]. apply order_eq in E as ->. destruct J. now left.
Qed.

(** That is the whole test, and no other. *)
Theorem distinct_iff l : distinct l = true <-> NoDup l.
Proof.
  unfold distinct. destruct (ascending l) eqn:E; [split; [intros _; now apply ascending_different | reflexivity]|].
  pose proof (ByOrder.Permuted_sort l) as P. split; intros H.
  - apply ascending_different in H. apply Permutation_NoDup with (2 := H). now apply Permutation_sym.
  - apply sorted_ascending; [exact (ByOrder.Sorted_sort l) | now apply Permutation_NoDup with (1 := P)].
Qed.
Lemma distinct_ok l : distinct l = true -> NoDup l.
Proof. apply distinct_iff. Qed.

(** ** Whether all of some are among others: both in order, and each looked at once *)
Fixpoint all_passed (vs ws : list constant) {struct vs} : bool :=
  match vs with
  | [] => match ws with [] => true | _ => false end
  | v :: vs' =>
      (fix skip ws := match ws with
       | [] => true
       | w :: ws' => match constant_order w v with Eq => skip ws' | Gt => all_passed vs' ws | Lt => false end
       end) ws
  end.
Definition all_among (ws vs : list constant) : bool := all_passed (ByOrder.sort vs) (ByOrder.sort ws).

Lemma covered_iff vs : forall ws, StronglySorted (fun a b => is_true (InOrder.leb a b)) vs ->
  StronglySorted (fun a b => is_true (InOrder.leb a b)) ws -> all_passed vs ws = true <-> incl ws vs.
Proof.
  induction vs as [|v vs IH]; intros ws V.
  - intros _. destruct ws as [|w ws]; cbn; split; try discriminate; intros H; auto using incl_refl.
    now apply incl_l_nil in H.
  - inversion V as [|x k V' Above]; subst. induction ws as [|w ws IHw]; intros W; [split; [intros _ x [] | reflexivity]|].
    inversion W as [|x k W' AboveW]; subst. rewrite Forall_forall in Above, AboveW. cbn [all_passed].
    destruct (constant_order w v) eqn:E.
    + apply order_eq in E as ->. specialize (IHw W'). cbn [all_passed] in IHw. rewrite IHw. split; intros H.
      * now apply incl_cons; [left|].
      * intros x J. apply H. now right.
    + split; [discriminate|]. intros H. destruct (H w (or_introl eq_refl)) as [->|J].
      * now rewrite (proj2 (order_eq w w) eq_refl) in E.
      * specialize (Above w J). unfold is_true, InOrder.leb in Above. rewrite order_opposite, E in Above. discriminate Above.
    + rewrite (IH (w :: ws) V' W). split; intros H; [intros x J; right; now apply H|].
      intros x J. destruct (H x J) as [->|K]; [|exact K]. destruct J as [->|J].
      * now rewrite (proj2 (order_eq x x) eq_refl) in E.
      * specialize (AboveW x J). unfold is_true, InOrder.leb in AboveW. rewrite E in AboveW. discriminate AboveW.
Qed.

Theorem all_among_iff ws vs : all_among ws vs = true <-> incl ws vs.
Proof.
  assert (T : Relations_1.Transitive (fun a b => is_true (InOrder.leb a b))).
  { intros a b c. unfold is_true, InOrder.leb. destruct (constant_order a b) eqn:E; try discriminate; destruct (constant_order b c) eqn:F; try discriminate; intros _ _.
    - apply order_eq in E as ->. now rewrite F.
    - apply order_eq in E as ->. now rewrite F.
    - apply order_eq in F as <-. now rewrite E.
    - now rewrite (order_trans _ _ _ E F). }
  assert (S : forall l, StronglySorted (fun a b => is_true (InOrder.leb a b)) (ByOrder.sort l)).
  { intros l. apply Sorted_StronglySorted; [exact T | exact (ByOrder.Sorted_sort l)]. }
  unfold all_among. rewrite (covered_iff (S vs) (S ws)). pose proof (ByOrder.Permuted_sort ws) as P. pose proof (ByOrder.Permuted_sort vs) as Q.
  split; intros H x J.
  - apply Permutation_in with (1 := Permutation_sym Q), H, Permutation_in with (1 := P), J.
  - apply Permutation_in with (1 := Q), H, Permutation_in with (1 := Permutation_sym P), J.
Qed.
