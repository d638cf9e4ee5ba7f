(** * Poisson subsampling (Li, Qardaji, Su 2012; Balle, Barthe, Gaboardi 2018)

    Every row is kept with probability p, apart from all others; what is kept is measured. One row more is there with
    probability p only: between neighbours, eps becomes ln (1 + p (e^eps - 1)), and delta becomes p delta.

    The argument, with X and Y the chances of an event without and with that row in the sample: Y <= E X + delta and
    X <= E Y + delta, E = e^eps. With the row, the event has the chance p Y + (1 - p) X. One direction is linear; the other
    is X <= (1 + p (E - 1)) (p Y + (1 - p) X) + p delta, where Y >= (X - delta)/E leaves X (1 - p) p (E - 1)^2/E and
    more on the right. *)
From Coq Require Import Reals Lra Psatz List Permutation Lia.
From DPcore Require Import Distributions Indistinguishability Measures Metrics PublishedRows.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Subsampling.
Variables (T A : Type) (p : R) (between : 0 <= p <= 1) (M : list T -> dist A) (eps delta : R).
Hypotheses (eps_nonneg : 0 <= eps) (delta_nonneg : 0 <= delta).
Hypothesis order : respects symmetric M.
Hypothesis private_M : private_at symmetric approx M 1 (eps, delta).

Definition subsampled (x : list T) : dist A := bind (some_rows between x) M.

Notation E := (exp eps).
Lemma with_and_without X Y : 0 <= X -> Y <= E * X + delta -> X <= E * Y + delta ->
  p * Y + (1 - p) * X <= (1 + p * (E - 1)) * X + p * delta /\ X <= (1 + p * (E - 1)) * (p * Y + (1 - p) * X) + p * delta.
Proof.
  intros X0 H K. assert (E1 : 1 <= E) by (rewrite <- exp_0; destruct eps_nonneg as [L|<-]; [left; now apply exp_increasing | lra]).
  destruct between as [p0 p1]. split; [nra|].
  assert (F : 0 <= p * (E - 1)) by (apply Rmult_le_pos; lra). assert (G : 0 <= (1 - p) * (p * (E - 1))) by (apply Rmult_le_pos; lra).
  apply Rmult_le_reg_l with E; [lra|].
  assert (B : (1 + p * (E - 1)) * (p * (X - delta)) <= (1 + p * (E - 1)) * (p * (E * Y))) by (repeat apply Rmult_le_compat_l; lra).
  assert (C1 : 0 <= (1 - p) * (p * (E - 1)) * ((E - 1) * X)) by (apply Rmult_le_pos; [exact G | apply Rmult_le_pos; lra]).
  assert (C2 : 0 <= (1 - p) * (p * (E - 1)) * delta) by (now apply Rmult_le_pos).
  nra.
Qed.

Theorem poisson_subsampling : private_at symmetric approx subsampled 1 (ln (1 + p * (E - 1)), p * delta).
Proof.
  assert (E1 : 1 <= E) by (rewrite <- exp_0; destruct eps_nonneg as [L|<-]; [left; now apply exp_increasing | lra]).
  assert (F : 0 <= p * (E - 1)) by (apply Rmult_le_pos; lra).
  intros x y (l & r & (c & Hx & Hy) & S) f U. simpl fst; simpl snd. rewrite exp_ln by lra.
  set (h := fun s => M s f). assert (Th : test h) by (intros s; now apply expect_test).
  assert (P : forall a b, Permutation a b -> h a = h b).
  { intros a b Q. unfold h. apply (order (proj2 (symmetric_0 a b) Q)). auto with bounded. }
  change (some_rows between x h <= (1 + p * (E - 1)) * some_rows between y h + p * delta).
  rewrite (some_rows_perm between Hx Th P), (some_rows_perm between Hy Th P).
  assert (near : forall a s, h (a :: s) <= E * h s + delta /\ h s <= E * h (a :: s) + delta).
  { intros a s. assert (D : symmetric 1 (a :: s) s).
    { exists [a], []. split; [exists s; rewrite app_nil_r; split; [apply Permutation_cons_append | reflexivity] | simpl; lra]. }
    split; [exact (private_M D U) | exact (private_M (within_sym _ _ _ _ D) U)]. }
  assert (step : forall a, let X := some_rows between c h in let Y := some_rows between c (fun s => h (a :: s)) in
    0 <= X /\ Y <= E * X + delta /\ X <= E * Y + delta).
  { intros a. cbv zeta. assert (Ta : test (fun s => h (a :: s))) by (intros s; apply Th).
    rewrite <- (expect_const (some_rows between c) delta).
    rewrite <- !expect_scale, <- !expect_plus by auto with bounded.
    repeat split; [now apply expect_nonneg; auto with bounded | |]; apply expect_le; auto with bounded; intros s; apply (near a s). }
  assert (S' : (length l + length r <= 1)%nat) by (apply INR_le; simpl; lra).
  destruct l as [|a l], r as [|b r]; simpl in S'; try lia.
  - rewrite !app_nil_r. destruct (expect_test (some_rows between c) Th). assert (0 <= p * delta) by (apply Rmult_le_pos; lra). nra.
  - destruct r; [|simpl in S'; lia]. rewrite app_nil_r. destruct (step b) as (X0 & H & K).
    rewrite (some_rows_perm between (Permutation_sym (Permutation_cons_append c b)) Th P). exact (proj2 (with_and_without X0 H K)).
  - destruct l; [|simpl in S'; lia]. rewrite app_nil_r. destruct (step a) as (X0 & H & K).
    rewrite (some_rows_perm between (Permutation_sym (Permutation_cons_append c a)) Th P). exact (proj1 (with_and_without X0 H K)).
Qed.
End Subsampling.
