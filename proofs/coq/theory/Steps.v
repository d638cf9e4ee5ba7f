(** * Row metrics count steps

    Data sets [n] apart are joined by [n] steps of 1, inside any domain of rows. Group privacy rests on this. *)
From Coq Require Import Reals Lra Lia List Permutation.
From DPcore Require Import Distributions Indistinguishability Measures Metrics.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Lemma reach_on X (D : X -> Prop) (m : metric X) n x y : reach (on D m) n x y -> reach m n x y.
Proof.
  revert y; induction n as [|n IH]; intros y H; [apply H|].
  destruct H as (z & H & K). exists z; split; [now apply IH | apply K].
Qed.

Section Rows.
Variables (T : Type) (ok : T -> Prop).
Notation all := (Forall ok).

Lemma all_perm x y : Permutation x y -> all y -> all x.
Proof. intros P H; rewrite Forall_forall in *; intros r I; apply H; revert I; now apply Permutation_in. Qed.

Ltac rows := repeat match goal with
  | H : all (_ ++ _) |- _ => apply Forall_app in H; destruct H
  | H : all (_ :: _) |- _ => inversion H; clear H; subst
  | |- all (_ ++ _) => apply Forall_app; split
  | |- all (_ :: _) => constructor
  end; auto.

Lemma reach_symmetric r : forall l c x y, Permutation x (c ++ l) -> Permutation y (c ++ r) -> all (c ++ l) -> all (c ++ r) ->
  reach (on all symmetric) (length r + length l) x y.
Proof.
  induction r as [|b r IH]; intros l c x y Hx Hy Al Ar.
  - revert c x y Hx Hy Al Ar; induction l as [|a l IH]; intros c x y Hx Hy Al Ar; simpl.
    + repeat split; try (eapply all_perm; eassumption). apply symmetric_0. now rewrite Hx, Hy.
    + assert (Hx' : Permutation x ((c ++ [a]) ++ l)) by (rewrite <- app_assoc; exact Hx).
      exists ((c ++ [a]) ++ []); split; [apply IH with (c ++ [a]); auto; rows|].
      rewrite !app_nil_r in *. repeat split; [rows | eapply all_perm; eauto; rows |].
      exists [a], []; split; [exists c; rewrite app_nil_r; auto | simpl; lra].
  - exists (c ++ r); split; [apply IH with c; auto; rows|].
    repeat split; [rows | eapply all_perm; eauto |].
    exists [], [b]; split; [|simpl; lra]. exists (c ++ r). rewrite app_nil_r. split; [reflexivity|].
    rewrite Hy, <- app_assoc. apply Permutation_app_head, Permutation_cons_append.
Qed.

Theorem whole_symmetric_on : whole (on all symmetric).
Proof.
  apply whole_of_reach.
  - intros d x y (_ & Ay & _); repeat split; auto. now apply symmetric_0.
  - intros d x y (Ax & Ay & l & r & (c & H & K) & E). exists (length r + length l)%nat.
    split; [now rewrite Nat.add_comm | apply reach_symmetric with c; eauto using all_perm, Permutation_sym].
Qed.

Lemma change_one_0 (x y : list T) : change_one 0 x y <-> Permutation x y.
Proof.
  split.
  - intros (l & r & D & E & F). apply symmetric_0. exists l, r; split; auto.
    apply (INR_le _ 0) in F. replace (length l + length r)%nat with 0%nat by lia. simpl; lra.
  - intros H; exists [], []; split; [now apply differ_refl | simpl; split; [reflexivity | lra]].
Qed.

Lemma reach_change_one r : forall l c x y, length l = length r ->
  Permutation x (c ++ l) -> Permutation y (c ++ r) -> all (c ++ l) -> all (c ++ r) ->
  reach (on all change_one) (length r) x y.
Proof.
  induction r as [|b r IH]; intros l c x y E Hx Hy Al Ar; destruct l as [|a l]; try discriminate; simpl.
  - repeat split; try (eapply all_perm; eassumption). apply change_one_0. now rewrite Hx, Hy.
  - assert (Hx' : Permutation x ((c ++ [a]) ++ l)) by (rewrite <- app_assoc; exact Hx).
    exists ((c ++ [a]) ++ r); split; [apply IH with l (c ++ [a]); auto; rows|].
    repeat split; [rows | eapply all_perm; eauto |].
    exists [a], [b]; split; [|simpl; split; [reflexivity | lra]]. exists (c ++ r). rewrite <- !app_assoc. split.
    + apply Permutation_app_head; simpl. apply Permutation_cons_append.
    + rewrite Hy. apply Permutation_app_head, Permutation_cons_append.
Qed.

Theorem whole_change_one_on : whole (on all change_one).
Proof.
  apply whole_of_reach.
  - intros d x y (_ & Ay & _); repeat split; auto. now apply change_one_0.
  - intros d x y (Ax & Ay & l & r & (c & H & K) & E & F). exists (length r).
    split; [now rewrite <- E | apply reach_change_one with l c; eauto using all_perm, Permutation_sym].
Qed.
End Rows.

Corollary whole_symmetric T : whole (@symmetric T).
Proof.
  intros d x y D. destruct (@whole_symmetric_on T (fun _ => True) d x y) as (n & Hn & Rn).
  - repeat split; auto; apply Forall_forall; auto.
  - exists n; split; [exact Hn | eapply reach_on; exact Rn].
Qed.

Corollary whole_change_one T : whole (@change_one T).
Proof.
  intros d x y D. destruct (@whole_change_one_on T (fun _ => True) d x y) as (n & Hn & Rn).
  - repeat split; auto; apply Forall_forall; auto.
  - exists n; split; [exact Hn | eapply reach_on; exact Rn].
Qed.

(** ** Persons *)
Section Persons.
Variables (T P : Type) (eqP : forall a b : P, {a = b} + {a <> b}) (by_ : T -> P).
Notation out := (without eqP by_).

Lemma without_nil x : out [] x = x.
Proof. unfold without; induction x as [|r x IH]; simpl in *; [|rewrite IH]; reflexivity. Qed.

Lemma without_app ps qs x : out (ps ++ qs) x = out qs (out ps x).
Proof.
  unfold without; induction x as [|r x IH]; [reflexivity|]. simpl.
  destruct (in_dec eqP (by_ r) (ps ++ qs)) as [I|I], (in_dec eqP (by_ r) ps) as [J|J]; simpl;
  rewrite ?IH; try reflexivity.
  - destruct (in_dec eqP (by_ r) qs) as [K|K]; [reflexivity|]. apply in_app_or in I; tauto.
  - exfalso; apply I, in_or_app; auto.
  - destruct (in_dec eqP (by_ r) qs) as [K|K]; [exfalso; apply I, in_or_app; auto | reflexivity].
Qed.

Theorem whole_person : whole (person eqP by_).
Proof.
  apply whole_of_reach; [intros d x y _; exists [], []; split; [reflexivity | simpl; lra]|].
  intros d x y (ps & qs & H & E). exists (length ps + length qs)%nat; split; [exact E|]. clear d E.
  revert y H; induction qs as [|q qs IH]; intros y H.
  - rewrite without_nil in H. rewrite Nat.add_0_r. revert y H.
    induction ps as [|p ps IH] using rev_ind; intros y H; simpl.
    + exists [], []; rewrite !without_nil in *; simpl; split; [exact H | lra].
    + rewrite app_length, Nat.add_comm. exists (out ps x); split; [now apply IH|].
      exists [p], []; simpl; split; [|lra]. rewrite without_nil, <- without_app. exact H.
  - simpl length; rewrite Nat.add_succ_r. exists (out [q] y); split.
    + apply IH. rewrite <- without_app. exact H.
    + exists [], [q]; rewrite without_nil; simpl; split; [reflexivity | lra].
Qed.
End Persons.

(** In a domain that no step of the metric leaves, the steps remain. *)
Lemma whole_inside X (m : metric X) (D : X -> Prop) : whole m -> (forall d x y, m d x y -> D x -> D y) -> whole (on D m).
Proof.
  intros W H d x y (Dx & Dy & K). destruct (W d x y K) as (n & Hn & R). exists n; split; [exact Hn|]. clear d K Hn Dy.
  revert y R; induction n as [|n IH]; intros y R; [split; [exact Dx | split; [exact (H _ _ _ R Dx) | exact R]]|].
  destruct R as (z & R & S). pose proof (IH z R) as Rz. exists z; split; [exact Rz|].
  assert (Dz : D z) by (clear -Rz; destruct n; [apply Rz | destruct Rz as (u & _ & Dz); apply Dz]).
  split; [exact Dz | split; [exact (H _ _ _ S Dz) | exact S]].
Qed.

(** Data sets of one size, of rows of a domain: replacing leaves the size as it is. Adding and removing do not, so
    [symmetric] takes no steps of 1 among them ([sized_symmetric_has_no_steps]). *)
Lemma change_one_size T d (x y : list T) : change_one d x y -> length x = length y.
Proof.
  intros (l & r & (c & H & K) & E & _). apply Permutation_length in H, K. rewrite app_length in *. lia.
Qed.

Theorem whole_change_one_sized T (ok : T -> Prop) n : whole (on (fun x => length x = n) (on (Forall ok) change_one)).
Proof.
  apply whole_inside; [apply whole_change_one_on|]. intros d x y (_ & _ & D) <-. symmetry. exact (change_one_size D).
Qed.

Lemma sized_symmetric_has_no_steps T n (x y : list T) : on (fun x => length x = n) symmetric 1 x y -> Permutation x y.
Proof.
  intros (Lx & Ly & l & r & D & E). apply symmetric_0. exists l, r; split; [exact D|].
  assert (length l = length r).
  { destruct D as (c & H & K). apply Permutation_length in H, K. rewrite app_length in *. lia. }
  apply (INR_le _ 1) in E. replace (length l + length r)%nat with 0%nat by lia. simpl; lra.
Qed.

(** Values that differ are one step apart. *)
Lemma whole_discrete X : whole (@discrete X).
Proof.
  apply whole_of_reach; [intros; split; [lra | now left]|].
  intros d x y [H [->|K]].
  - exists 0%nat; simpl; split; [exact H | split; [lra | now left]].
  - exists 1%nat; simpl; split; [exact K|]. exists x; split; [split; [lra | now left] | split; [lra | right; lra]].
Qed.
