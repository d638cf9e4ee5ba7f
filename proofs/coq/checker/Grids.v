(** * Values on a grid, counted in steps of a finer one *)
From Coq Require Import List ZArith QArith Qreals Reals Lra Lia.
From DPcore Require Import Distributions Metrics Totals Norms.
From DPchecker Require Import Language Meaning Numbers Distances Facts.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Grids.
Variable I : interpretation.
Notation data := (data I).

Lemma times_ok g h k : times g h = Some k -> 0 < Q2R g /\ 0 < Q2R h /\ Q2R g = IZR k * Q2R h.
Proof.
  unfold times. destruct (Qlt_bool 0 h) eqn:E1; [|discriminate]. destruct (Qlt_bool 0 g) eqn:E2; [|discriminate].
  destruct (Qeq_bool _ g) eqn:E3; [|discriminate]. intros H; injection H as <-.
  apply Qlt_bool_R in E1, E2. rewrite Q2R_0 in E1, E2. apply Qeq_bool_iff, Qeq_eqR in E3. rewrite Q2R_mult, Q2R_Z in E3. auto.
Qed.

Lemma absolute_times g h k d a b : times g h = Some k -> absolute (Q2R g) d a b -> absolute (Q2R h) d (k * a)%Z (k * b)%Z.
Proof.
  intros T. apply times_ok in T. destruct T as (_ & _ & E). simpl. rewrite E, !mult_IZR.
  now replace (IZR k * Q2R h * (IZR b - IZR a)) with (Q2R h * (IZR k * IZR b - IZR k * IZR a)) by ring.
Qed.

Lemma moves_times g h k v w : times g h = Some k -> moves (Q2R h) (map (Z.mul k) v) (map (Z.mul k) w) = moves (Q2R g) v w.
Proof.
  intros T. apply times_ok in T. destruct T as (_ & _ & E). revert w; induction v as [|a v IH]; intros [|b w]; try reflexivity.
  unfold moves in *; simpl. f_equal; [rewrite E, !mult_IZR; ring | apply IH].
Qed.

Lemma vectors_times N N0 No g h k d v w : times g h = Some k -> @vectors N N0 No (Q2R g) d v w ->
  @vectors N N0 No (Q2R h) d (map (Z.mul k) v) (map (Z.mul k) w).
Proof. intros T [L H]. split; [now rewrite !map_length | now rewrite (moves_times v w T)]. Qed.

(** ** No distance, no difference *)
Lemma absolute_0 g a b : 0 < g -> absolute g 0 a b -> a = b.
Proof.
  intros G H. simpl in H. apply Rabs_le_between in H. apply eq_IZR. nra.
Qed.
Lemma moves_0 g v w : 0 < g -> length v = length w -> (forall u, In u (moves g v w) -> u = 0) -> v = w.
Proof.
  intros G. revert w; induction v as [|a v IH]; intros [|b w] L H; try discriminate; [reflexivity|].
  assert (E : g * (IZR b - IZR a) = 0) by (apply H; now left). f_equal; [apply eq_IZR; nra|].
  apply IH; [now injection L | intros u J; apply H; now right].
Qed.
Lemma vectors_0 m g (a b : list Z) : 0 < Q2R g -> match m with L1 | L2 | LInf | Range => True | _ => False end ->
  apart m 0 (Vector g a : data) (Vector g b) -> a = b.
Proof.
  intros G M H. assert (K : length a = length b /\ norm_inf (moves (Q2R g) a b) <= 0).
  { destruct m; try tauto; destruct H as [_ H].
    - apply l1_to_linf in H. exact H.
    - apply l2_to_linf in H. rewrite sqrt_0 in H. exact H.
    - exact H.
    - apply range_to_linf in H. exact H. }
  destruct K as [L K]. apply norm_inf_le in K. destruct K as [_ K].
  apply (moves_0 G L). intros u J. specialize (K u J). apply Rabs_le_between in K. lra.
Qed.
End Grids.
