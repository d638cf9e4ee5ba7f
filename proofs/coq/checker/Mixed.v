(** * The worst case of an (epsilon, delta): with probability delta tell all, else randomized response

    Its profile at [x] is [delta + (1 - delta) max(0, (e^eps - e^x)/(1 + e^eps))], here from above. *)
From Coq Require Import ZArith QArith Qreals Reals Lra Psatz.
From DPcore Require Import Distributions Indistinguishability Measures Conversions.
From DPchecker Require Import Json Language Numbers Exponentials Losses Rounding.
Open Scope R_scope.
Set Implicit Arguments.

(** ** exp from both sides; nothing beyond 8000 *)
Definition exp_up (e : Q) : option Q := if Qeq_bool e 0 then Some 1%Q else if Qle_bool e limit then exp_above e else None.
Definition exp_down (x : Q) : option Q := if Qeq_bool x 0 then Some 1%Q else if Qle_bool x limit then Some (Qmax0 (exp_below x)) else None.

Lemma exp_of_0 e : Qeq_bool e 0 = true -> exp (Q2R e) = Q2R 1.
Proof. intros H. apply Qeq_bool_iff, Qeq_eqR in H. now rewrite H, Q2R_0, Q2R_1, exp_0. Qed.
Lemma exp_up_ok e u : exp_up e = Some u -> exp (Q2R e) <= Q2R u.
Proof.
  unfold exp_up. destruct (Qeq_bool e 0) eqn:Z; [intros H; injection H as <-; rewrite (exp_of_0 _ Z); lra|].
  destruct (Qle_bool e limit); [apply exp_above_ok | discriminate].
Qed.
Lemma exp_down_ok x v : exp_down x = Some v -> 0 <= Q2R v <= exp (Q2R x).
Proof.
  unfold exp_down. destruct (Qeq_bool x 0) eqn:Z; [intros H; injection H as <-; rewrite (exp_of_0 _ Z), Q2R_1; lra|].
  destruct (Qle_bool x limit); [|discriminate]. intros H; injection H as <-. unfold Qmax0. rewrite Q2R_max, Q2R_0.
  split; [apply Rmax_l|]. pose proof (exp_pos (Q2R x)). apply Rmax_lub; [lra | apply exp_below_ok].
Qed.

(** ** Randomized response: [u] is above e^eps, [v] below e^x *)
Definition coins (md : mode) (u v : Q) : Q := if Qle_bool u v then 0%Q else delta_above md ((u - v) / (1 + u)).
Definition mixed (md : mode) (u delta v : Q) : Q :=
  if Qle_bool 1 delta then 1%Q else let c := coins md u v in if Qeq_bool c 0 then delta else (delta + (1 - delta) * c)%Q.

Lemma coins_ok md u v w y : 0 < w <= Q2R u -> Q2R v <= y -> 0 <= y -> Rmax 0 ((w - y) / (1 + w)) <= Q2R (coins md u v) /\ 0 <= Q2R (coins md u v).
Proof.
  intros [W U] V Y. unfold coins.
  assert (G : forall q, (Q2R u - Q2R v) / (1 + Q2R u) <= q -> (w - y) / (1 + w) <= q).
  { intros q. apply Rle_trans. replace ((w - y) / (1 + w)) with (1 - (1 + y) * / (1 + w)) by (field; lra).
    replace ((Q2R u - Q2R v) / (1 + Q2R u)) with (1 - (1 + Q2R v) * / (1 + Q2R u)) by (field; lra).
    assert (/ (1 + Q2R u) <= / (1 + w)) by (apply Rinv_le_contravar; lra). assert (0 < / (1 + Q2R u)) by (apply Rinv_0_lt_compat; lra). nra. }
  destruct (Qle_bool u v) eqn:E.
  - apply Qle_R in E. rewrite Q2R_0. split; [|lra]. apply Rmax_lub; [lra|]. apply G.
    assert (0 < / (1 + Q2R u)) by (apply Rinv_0_lt_compat; lra). unfold Rdiv. nra.
  - apply Qgt_R in E. pose proof (delta_above_ok md ((u - v) / (1 + u))) as S.
    rewrite Q2R_div, Q2R_minus, Q2R_plus, Q2R_1 in S by (apply Qnonzero_R; rewrite Q2R_plus, Q2R_1; lra).
    assert (0 < (Q2R u - Q2R v) / (1 + Q2R u)) by (apply Rdiv_lt_0_compat; lra).
    split; [|lra]. apply Rmax_lub; [lra | now apply G].
Qed.

Lemma mixed_value md u delta v : Q2R delta < 1 -> Q2R (mixed md u delta v) = Q2R delta + (1 - Q2R delta) * Q2R (coins md u v).
Proof.
  intros D. unfold mixed. destruct (Qle_bool 1 delta) eqn:E; [apply Qle_R in E; rewrite Q2R_1 in E; lra|].
  cbv zeta. destruct (Qeq_bool (coins md u v) 0) eqn:Z.
  - apply Qeq_bool_iff, Qeq_eqR in Z. rewrite Z, Q2R_0. ring.
  - now rewrite Q2R_plus, Q2R_mult, Q2R_minus, Q2R_1.
Qed.

Section Worst.
Variables (md : mode) (eps x u v delta : Q).
Hypothesis above : exp (Q2R eps) <= Q2R u.
Hypothesis below : Q2R v <= exp (Q2R x).
Hypothesis delta_nonneg : 0 <= Q2R delta.

Lemma mixed_nonneg : 0 <= Q2R (mixed md u delta v).
Proof.
  destruct (Rlt_le_dec (Q2R delta) 1) as [D|D].
  - rewrite mixed_value by exact D. pose proof (exp_pos (Q2R eps)). pose proof (exp_pos (Q2R x)).
    destruct (@coins_ok md u v (exp (Q2R eps)) (exp (Q2R x))) as [_ C]; try lra. nra.
  - unfold mixed. destruct (Qle_bool 1 delta) eqn:E; [rewrite Q2R_1; lra|]. apply Qgt_R in E. rewrite Q2R_1 in E. lra.
Qed.

Lemma mixed_ok A (P Q : dist A) : 0 <= Q2R x -> ind P Q (Q2R eps) (Q2R delta) -> ind Q P (Q2R eps) (Q2R delta) ->
  ind P Q (Q2R x) (Q2R (mixed md u delta v)).
Proof.
  intros X H K. pose proof (exp_pos (Q2R eps)) as E. pose proof (exp_pos (Q2R x)).
  destruct (Rlt_le_dec (Q2R delta) 1) as [D|D].
  - apply ind_weaken with (3 := ind_worst_case X H K); [apply Rle_refl|]. rewrite mixed_value by exact D. unfold worst_case.
    destruct (@coins_ok md u v (exp (Q2R eps)) (exp (Q2R x))) as [C _]; try lra. apply Rplus_le_compat_l, Rmult_le_compat_l; lra.
  - replace (mixed md u delta v) with 1%Q.
    + intros f F. rewrite Q2R_1. pose proof (expect_test P F). pose proof (expect_test Q F). nra.
    + unfold mixed. destruct (Qle_bool 1 delta) eqn:B; [reflexivity|]. apply Qgt_R in B. rewrite Q2R_1 in B. lra.
Qed.
End Worst.

(** (e^eps - 1)/(e^eps + 1). *)
Definition half_way (md : mode) (e : Q) : option Q := let* u := exp_up e in Some (coins md u 1).
Lemma half_way_ok md e h : 0 <= Q2R e -> half_way md e = Some h -> (exp (Q2R e) - 1) / (exp (Q2R e) + 1) <= Q2R h /\ 0 <= Q2R h.
Proof.
  unfold half_way, bind_option. intros He. destruct (exp_up e) as [u|] eqn:U; [|discriminate]. intros H; injection H as <-.
  apply exp_up_ok in U. pose proof (exp_pos (Q2R e)). destruct (@coins_ok md u 1 (exp (Q2R e)) 1) as [C N]; rewrite ?Q2R_1; try lra.
  split; [|exact N]. rewrite (Rplus_comm (exp _)). eapply Rle_trans; [apply Rmax_r | exact C].
Qed.
