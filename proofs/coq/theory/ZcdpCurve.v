(** * From zCDP to a privacy profile (Canonne, Kamath, Steinke 2020, Proposition 12, read the other way)

    Of each order alpha, [delta = exp((alpha - 1)(alpha rho - eps) + alpha ln(1 - 1/alpha))/(alpha - 1)]. *)
From Coq Require Import Reals Lra Psatz List.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Powers Renyi Conversions.
Open Scope R_scope.
Set Implicit Arguments.

Definition order_delta (rho eps alpha : R) : R :=
  exp ((alpha - 1) * (alpha * rho - eps) + alpha * ln ((alpha - 1) / alpha)) / (alpha - 1).

Lemma order_delta_pos rho eps alpha : 1 < alpha -> 0 < order_delta rho eps alpha.
Proof. intros Ha. apply Rdiv_lt_0_compat; [apply exp_pos | lra]. Qed.

(** It solves the equation of [tight_epsilon] for delta. *)
Lemma order_delta_solves rho eps alpha : 1 < alpha -> tight_epsilon rho (order_delta rho eps alpha) alpha = eps.
Proof.
  intros Ha. unfold tight_epsilon, order_epsilon, order_delta.
  assert (E : ln ((alpha - 1) / alpha) = ln (alpha - 1) - ln alpha) by (unfold Rdiv; rewrite ln_mult, ln_Rinv; try lra;
    apply Rinv_0_lt_compat; lra).
  set (L := ln ((alpha - 1) / alpha)) in *. set (u := (alpha - 1) * (alpha * rho - eps) + alpha * L).
  assert (V : ln (exp u / (alpha - 1)) = u - ln (alpha - 1)).
  { unfold Rdiv. rewrite ln_mult, ln_exp, ln_Rinv; try lra; [apply exp_pos | apply Rinv_0_lt_compat; lra]. }
  rewrite V. unfold u.
  replace (ln alpha) with (ln (alpha - 1) - L) by lra. field. lra.
Qed.

Lemma zcdp_ind A (P Q : dist A) rho eps alpha : 1 < alpha -> zcdp P Q rho -> ind P Q eps (order_delta rho eps alpha).
Proof.
  intros Ha H. pose proof (at_most_to_ind Ha (order_delta_pos rho eps Ha) (H alpha Ha)) as K.
  pose proof (order_delta_solves rho eps Ha) as E. unfold tight_epsilon, order_epsilon in E. rewrite E in K. exact K.
Qed.

(** The order may be another for each distance and each eps. *)
Theorem zcdp_to_profile X A (m : metric X) (M : X -> dist A) (rho : R -> R) (alpha : R -> R -> R) : (forall d eps, 1 < alpha d eps) ->
  private m zcdp M rho -> private m profile M (fun d eps => order_delta (rho d) eps (alpha d eps)).
Proof. intros Ha H d x y D eps _. now apply zcdp_ind, H. Qed.
