(** * How well reports in an order drawn fairly hide each other *)
From Coq Require Import ZArith QArith Qreals Reals Lra Lia Bool.
From DPcore Require Import Distributions Indistinguishability Powers Clones.
From DPchecker Require Import Json Language Numbers Exponentials Losses Mixed.
Open Scope R_scope.
Set Implicit Arguments.

(** n reports of a loss of [e] each, from above; nothing where they are fewer than the theorem asks for. *)
Definition hidden_above (n : positive) (delta e : Q) : option Q :=
  let size := (Zpos n # 1)%Q in
  let* odds := exp_up e in
  let* enough := log_above (2 / delta) in
  let* _ := guard (Qle_bool (16 * odds * enough) size) in
  let* tail := log_above (4 / delta) in
  let* l := log_above (1 + (odds - 1) / (odds + 1) * (8 * root_above (odds * tail / size) + 8 * odds / size)) in
  Some (Qmin e (Qmax0 l)).

(** (x - 1)/(x + 1) grows. *)
Lemma odds_le x y : 1 <= x -> x <= y -> 0 <= (x - 1) / (x + 1) <= (y - 1) / (y + 1).
Proof.
  intros X Y. replace ((x - 1) / (x + 1)) with (1 - 2 * / (x + 1)) by (field; lra).
  replace ((y - 1) / (y + 1)) with (1 - 2 * / (y + 1)) by (field; lra).
  assert (/ (y + 1) <= / (x + 1)) by (apply Rinv_le_contravar; lra).
  assert (/ (x + 1) <= / 2) by (apply Rinv_le_contravar; lra). lra.
Qed.

Lemma hidden_above_ok n delta e k : 0 < Q2R delta < 1 -> 0 <= Q2R e -> hidden_above n delta e = Some k ->
  0 <= Q2R k /\ 16 * exp (Q2R e) * ln (2 / Q2R delta) <= INR (Pos.to_nat n) /\
  hidden_epsilon (Q2R e) (INR (Pos.to_nat n)) (Q2R delta) <= Q2R k.
Proof.
  intros D E. unfold hidden_above, bind_option, guard. cbv zeta.
  destruct (exp_up e) as [odds|] eqn:O; [|discriminate]. destruct (log_above (2 / delta)) as [enough|] eqn:L2; [|discriminate].
  destruct (Qle_bool _ _) eqn:G; [|discriminate]. destruct (log_above (4 / delta)) as [tail|] eqn:L4; [|discriminate].
  destruct (log_above (1 + _)) as [l|] eqn:L; [|discriminate]. intros H; injection H as <-.
  apply exp_up_ok in O. apply log_above_ok in L2, L4, L. apply Qle_R in G.
  assert (Nz : ~ (delta == 0)%Q) by (apply Qnonzero_R; lra).
  assert (N : 0 < IZR (Zpos n)) by (apply IZR_lt; lia).
  assert (Ns : ~ ((Zpos n # 1) == 0)%Q) by (apply Qnonzero_R; rewrite Q2R_pos; exact N).
  assert (NN : INR (Pos.to_nat n) = IZR (Zpos n)) by (rewrite INR_IZR_INZ, positive_nat_Z; reflexivity).
  assert (Two : Q2R 2 = 2) by apply (Q2R_Z 2). assert (Four : Q2R 4 = 4) by apply (Q2R_Z 4).
  assert (Eight : Q2R 8 = 8) by apply (Q2R_Z 8). assert (Sixteen : Q2R 16 = 16) by apply (Q2R_Z 16).
  rewrite Q2R_div, Two in L2 by exact Nz. rewrite Q2R_div, Four in L4 by exact Nz. destruct L2 as [_ L2], L4 as [_ L4].
  pose proof (exp_ge_1 E) as E1. set (x := exp (Q2R e)) in *. set (y := Q2R odds) in *.
  assert (Nod : ~ (odds + 1 == 0)%Q) by (apply Qnonzero_R; rewrite Q2R_plus, Q2R_1; fold y; lra).
  pose proof (root_above_ok (odds * tail / (Zpos n # 1))) as Rt.
  rewrite Q2R_div, Q2R_mult, Q2R_pos in Rt by exact Ns. fold y in Rt.
  rewrite Q2R_plus, !Q2R_mult, Q2R_div, Q2R_minus, !Q2R_plus, !Q2R_1, Q2R_mult, Q2R_div, Q2R_mult, Eight, Q2R_pos in L by assumption. fold y in L.
  rewrite !Q2R_mult, Sixteen, Q2R_pos in G. fold y in G.
  rewrite Q2R_min. unfold Qmax0. rewrite Q2R_max, Q2R_0.
  destruct (@log_above_0 (Q2R delta) D) as [P2 P4].
  split; [apply Rmin_glb; [exact E | apply Rmax_l]|]. rewrite NN. split.
  - eapply Rle_trans; [|exact G]. rewrite !Rmult_assoc. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat; lra.
  - unfold hidden_epsilon. fold x. apply Rmin_glb; [apply Rmin_l|]. eapply Rle_trans; [apply Rmin_r|].
    eapply Rle_trans; [|apply Rmax_r]. eapply Rle_trans; [|apply L]. destruct (odds_le E1 O) as [C0 C1].
    assert (S : sqrt (x * ln (4 / Q2R delta) / IZR (Zpos n)) <= Q2R (root_above (odds * tail / (Zpos n # 1)))).
    { eapply Rle_trans; [|exact Rt]. apply sqrt_le_1_alt. unfold Rdiv. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
      apply Rmult_le_compat; lra. }
    assert (V : 8 * x / IZR (Zpos n) <= 8 * y / IZR (Zpos n)).
    { unfold Rdiv. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | lra]. }
    assert (V0 : 0 <= 8 * x / IZR (Zpos n)) by (apply Measures.Rdiv_nonneg; lra).
    pose proof (sqrt_pos (x * ln (4 / Q2R delta) / IZR (Zpos n))) as S0.
    assert (W0 : 0 <= 8 * sqrt (x * ln (4 / Q2R delta) / IZR (Zpos n)) + 8 * x / IZR (Zpos n)) by lra.
    apply ln_le.
    + assert (0 <= (x - 1) / (x + 1) * (8 * sqrt (x * ln (4 / Q2R delta) / IZR (Zpos n)) + 8 * x / IZR (Zpos n))) by (apply Rmult_le_pos; lra). lra.
    + apply Rplus_le_compat_l. apply Rmult_le_compat; lra.
Qed.
