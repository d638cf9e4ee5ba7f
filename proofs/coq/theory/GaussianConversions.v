(** * From GaussianDP to profiles and trade-off curves, and from pure privacy to GaussianDP *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Normal GaussianDP.
Open Scope R_scope.
Set Implicit Arguments.

Section Conversions.
Variables (X A : Type) (m : metric X) (M : X -> dist A).
Notation private_in ms loss := (private m ms M loss).

Theorem gaussian_to_profile (mu_squared : R -> R) :
  private_in gaussian mu_squared -> private_in profile (fun d => normal_delta (mu_squared d)).
Proof. intros H d x y D eps _. apply gaussian_lines, H, within_sym, D. Qed.

(** [Phi^-1], of no meaning outside of (0, 1). *)
Definition quantile (p : R) : R := real (Lub_Rbar (fun t => Phi t <= p)).

Lemma quantile_Phi t : quantile (Phi t) = t.
Proof.
  unfold quantile. rewrite (is_lub_Rbar_unique _ (Finite t)); [reflexivity|]. split.
  - intros u U. apply Phi_le_inv, U.
  - intros b B. apply (B t), Rle_refl.
Qed.

(** [beta(alpha) = Phi (Phi^-1 (1 - alpha) - mu)], which is 1 at 0 and 0 at 1. *)
Definition normal_tradeoff (m alpha : R) : R :=
  if Rle_dec alpha 0 then 1 else if Rle_dec 1 alpha then 0 else Phi (quantile (1 - alpha) - sqrt m).

Theorem gaussian_to_tradeoff (mu_squared : R -> R) :
  private_in gaussian mu_squared -> private_in tradeoff (fun d => normal_tradeoff (mu_squared d)).
Proof.
  intros K d x y D f F. pose proof (proj2 (K d x y D) f F) as H. clear K.
  pose proof (expect_test (M x) F). pose proof (expect_test (M y) F).
  unfold normal_tradeoff. destruct (Rle_dec (M x f) 0) as [Z|Z]; [|destruct (Rle_dec 1 (M x f)) as [O|O]; [lra|]].
  - assert (M y f <= 0); [|lra]. apply le_epsilon. intros e E. destruct (Phi_near_0 E) as (t & T).
    specialize (H (t - sqrt (mu_squared d))). replace (t - sqrt (mu_squared d) + sqrt (mu_squared d)) with t in H by ring.
    pose proof (Phi_between (t - sqrt (mu_squared d))). specialize (H ltac:(lra)). lra.
  - destruct (@Phi_takes (M x f)) as (t & T); [lra|]. specialize (H t ltac:(lra)).
    rewrite <- T, <- Phi_opp, quantile_Phi. replace (- t - sqrt (mu_squared d)) with (- (t + sqrt (mu_squared d))) by ring.
    rewrite Phi_opp. lra.
Qed.

(** ** From pure privacy *)

(** What lies on a chord lies below the curve. *)
Lemma below_mix k p q p' q' s : 0 <= p <= 1 -> 0 <= p' <= 1 -> q <= 1 -> q' <= 1 -> 0 <= s <= 1 ->
  below k p q -> below k p' q' -> below k (s * p + (1 - s) * p') (s * q + (1 - s) * q').
Proof.
  intros Hp Hp' Hq Hq' Hs H H'. assert (s * q <= s) by nra. assert ((1 - s) * q' <= 1 - s) by nra.
  rewrite below_lines in * by nra. intros x. specialize (H x). specialize (H' x). nra.
Qed.

(** The curve of eps is two chords, from (0, 0) and (1, 1) to the point that a witness [mu] shows to lie below. *)
Lemma below_pure eps mu p q : Phi (- (mu / 2)) <= 1 / (1 + exp eps) -> 0 <= mu -> 0 <= p <= 1 -> 0 <= q <= 1 ->
  q <= exp eps * p -> 1 - p <= exp eps * (1 - q) -> below (mu * mu) p q.
Proof.
  intros W Hmu Hp Hq H1 H2. set (u := Phi (- (mu / 2))) in *. pose proof (Phi_between (- (mu / 2))) as U. fold u in U.
  pose proof (exp_pos eps) as E. set (w := exp eps) in *.
  assert (W' : u * w <= 1 - u).
  { apply Rmult_le_compat_r with (r := 1 + w) in W; [|lra]. unfold Rdiv in W. rewrite Rmult_assoc, Rinv_l in W by lra. lra. }
  assert (C : below (mu * mu) u (1 - u)).
  { intros t T. apply Phi_le_inv in T. rewrite sqrt_square by exact Hmu. unfold u. rewrite <- Phi_opp. apply Phi_le. lra. }
  assert (O : below (mu * mu) 0 0) by (intros t _; left; apply Phi_between).
  assert (I : below (mu * mu) 1 1) by (intros t T; pose proof (Phi_between t); lra).
  assert (lower : forall r, q <= r -> below (mu * mu) p r -> below (mu * mu) p q).
  { intros r R0 B t T. specialize (B t T). lra. }
  destruct (Rle_dec p u) as [L|L].
  - set (s := p / u). assert (S : p = s * u) by (unfold s; field; lra).
    assert (0 <= s <= 1) by (split; nra). apply lower with (s * (1 - u) + (1 - s) * 0).
    + assert (s * (u * w) <= s * (1 - u)) by (apply Rmult_le_compat_l; lra). rewrite S in H1. lra.
    + rewrite S. replace (s * u) with (s * u + (1 - s) * 0) by ring. apply below_mix; auto; lra.
  - set (s := (1 - p) / (1 - u)). assert (S : 1 - p = s * (1 - u)) by (unfold s; field; lra).
    assert (0 <= s <= 1) by (split; nra). apply lower with (s * (1 - u) + (1 - s) * 1).
    + assert (u * (1 - p) <= u * w * (1 - q)) by nra. assert (u * w * (1 - q) <= (1 - u) * (1 - q)) by nra. nra.
    + replace p with (s * u + (1 - s) * 1) by lra. apply below_mix; auto; lra.
Qed.

(** [mu = 2 Phi^-1 (e^eps/(1 + e^eps))], or any larger one. *)
Theorem pure_to_gaussian (eps mu : R -> R) :
  (forall d, 0 <= d -> 0 <= mu d /\ Phi (- (mu d / 2)) <= 1 / (1 + exp (eps d))) ->
  private_in pure eps -> private_in gaussian (fun d => mu d * mu d).
Proof.
  intros W H d x y D. destruct (W d (within_nonneg m _ _ _ D)) as [N W']. split; [nra|]. intros f F.
  pose proof (H d y x (within_sym m _ _ _ D) f F) as H1.
  assert (F' : test (fun a => 1 + -1 * f a)) by (intros a; destruct (F a); lra).
  pose proof (H d x y D _ F') as H2. rewrite !expect_plus, !expect_scale, !expect_const in H2 by auto with bounded.
  apply below_pure with (eps := eps d); auto using expect_test; lra.
Qed.

Corollary pure_to_gaussian_quantile (eps : R -> R) : (forall d, 0 <= d -> 0 <= eps d) -> private_in pure eps ->
  private_in gaussian (fun d => let mu := 2 * quantile (exp (eps d) / (1 + exp (eps d))) in mu * mu).
Proof.
  intros N. apply pure_to_gaussian. intros d Hd. specialize (N d Hd). pose proof (exp_ge_1 N) as E. set (w := exp (eps d)) in *.
  assert (V : w / (1 + w) = 1 - 1 / (1 + w)) by (field; lra).
  assert (0 < 1 / (1 + w)) by (apply Rdiv_lt_0_compat; lra).
  assert (1 / (1 + w) <= 1 / 2) by (unfold Rdiv; apply Rmult_le_compat_l, Rinv_le_contravar; lra).
  destruct (@Phi_takes (w / (1 + w))) as (t & T); [lra|]. rewrite <- T, quantile_Phi.
  assert (0 <= t) by (apply Phi_le_inv; rewrite Phi_0; lra). split; [lra|].
  replace (- (2 * t / 2)) with (- t) by field. rewrite Phi_opp. lra.
Qed.
End Conversions.
