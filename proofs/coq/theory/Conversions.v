(** * From one measure to another

    Metrics are symmetric, so a bound that holds from x to y holds from y to x as well; several conversions need both. *)
From Coq Require Import Reals Lra Psatz List.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Norms Powers Renyi.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Conversions.
Variables (X A : Type) (m : metric X) (M : X -> dist A).
Notation private_in ms loss := (private m ms M loss).

(** ** By definition *)
Theorem pure_to_approx (eps : R -> R) : private_in pure eps -> private_in approx (fun d => (eps d, 0)).
Proof. intros H. exact H. Qed.

Theorem total_variation_to_approx (delta : R -> R) : private_in total_variation delta ->
  private_in approx (fun d => (0, delta d)).
Proof. intros H. exact H. Qed.

Theorem total_variation_to_profile (delta : R -> R) :
  private_in total_variation delta -> private_in profile (fun d _ => delta d).
Proof. intros H d x y D eps E. apply ind_weaken with (3 := H d x y D); lra. Qed.

Theorem zcdp_to_renyi (rho : R -> R) : private_in zcdp rho -> private_in renyi (fun d alpha => rho d * alpha).
Proof. intros H. exact H. Qed.

(** At any point of the profile, or above it. *)
Theorem profile_to_approx (delta : R -> R -> R) (eps at_most : R -> R) :
  (forall d, 0 <= d -> 0 <= eps d /\ delta d (eps d) <= at_most d) ->
  private_in profile delta -> private_in approx (fun d => (eps d, at_most d)).
Proof.
  intros E H d x y D. destruct (E d (within_nonneg m _ _ _ D)) as [E0 E1].
  apply ind_weaken with (3 := H d x y D (eps d) E0); [apply Rle_refl | exact E1].
Qed.

Theorem profile_to_total_variation (delta : R -> R -> R) :
  private_in profile delta -> private_in total_variation (fun d => delta d 0).
Proof. intros H d x y D. apply (H d x y D). lra. Qed.

(** ** The worst case: with probability delta tell all, else randomized response at eps *)
Definition worst_case (eps delta x : R) := delta + (1 - delta) * Rmax 0 ((exp eps - exp x) / (1 + exp eps)).

Lemma ind_worst_case (P Q : dist A) eps delta x : 0 <= x -> ind P Q eps delta -> ind Q P eps delta ->
  ind P Q x (worst_case eps delta x).
Proof.
  intros Hx H K f F. pose proof (ind_delta_nonneg H) as Hd. pose proof (expect_test P F) as Pf.
  pose proof (expect_test Q F) as Qf.
  assert (F' : test (fun a => 1 + -1 * f a)) by (intros a; destruct (F a); lra).
  specialize (K _ F'). specialize (H f F).
  rewrite !expect_plus, !expect_scale, !expect_const in K by auto with bounded.
  pose proof (exp_ge_1 Hx) as Ex. unfold worst_case. set (u := exp x) in *. set (w := exp eps) in *.
  assert (w0 : 0 < w) by apply exp_pos.
  destruct (Rle_dec w u) as [C|C].
  - rewrite Rmax_left; [nra|]. apply Rmult_le_reg_r with (1 + w); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - apply Rnot_le_lt in C. assert (w1 : 1 < w) by lra.
    rewrite Rmax_right; [|left; apply Rdiv_lt_0_compat; lra].
    (* (w u - 1) times the first inequality plus (w - u) times the second *)
    set (p := P f) in *. set (q := Q f) in *.
    apply Rmult_le_reg_l with ((w - 1) * (1 + w)); [nra|].
    replace ((w - 1) * (1 + w) * (u * q + (delta + (1 - delta) * ((w - u) / (1 + w))))) with
      ((w - 1) * (1 + w) * u * q + (w - 1) * (delta * (1 + u) + (w - u))) by (field; lra).
    assert (A1 : (w * u - 1) * p <= (w * u - 1) * (w * q + delta)) by (apply Rmult_le_compat_l; nra).
    assert (A2 : (w - u) * (1 + -1 * q) <= (w - u) * (w * (1 + -1 * p) + delta)) by (apply Rmult_le_compat_l; lra).
    nra.
Qed.

Theorem approx_to_profile (loss : R -> R * R) :
  private_in approx loss -> private_in profile (fun d => worst_case (fst (loss d)) (snd (loss d))).
Proof. intros H d x y D eps E. apply ind_worst_case; [exact E | now apply H | apply H, within_sym, D]. Qed.

Theorem pure_to_profile (eps : R -> R) :
  private_in pure eps -> private_in profile (fun d x => Rmax 0 ((exp (eps d) - exp x) / (1 + exp (eps d)))).
Proof.
  intros H d x y D z E. replace (Rmax 0 _) with (worst_case (eps d) 0 z) by (unfold worst_case; ring).
  exact (approx_to_profile (pure_to_approx H) d x y D E).
Qed.

Theorem approx_to_total_variation (loss : R -> R * R) : (forall d, 0 <= d -> 0 <= fst (loss d)) -> private_in approx loss ->
  private_in total_variation (fun d => snd (loss d) + (1 - snd (loss d)) * ((exp (fst (loss d)) - 1) / (exp (fst (loss
    d)) + 1))).
Proof.
  intros N H d x y D. pose proof (approx_to_profile H d x y D (Rle_refl 0)) as K. specialize (N d (within_nonneg m _ _ _ D)).
  unfold worst_case in K. rewrite exp_0, Rmax_right in K.
  - rewrite (Rplus_comm (exp (fst (loss d))) 1). exact K.
  - pose proof (exp_ge_1 N). apply Rdiv_nonneg; lra.
Qed.

Theorem pure_to_total_variation (eps : R -> R) : (forall d, 0 <= d -> 0 <= eps d) -> private_in pure eps ->
  private_in total_variation (fun d => (exp (eps d) - 1) / (exp (eps d) + 1)).
Proof.
  intros N H d x y D. pose proof (approx_to_total_variation (loss := fun d => (eps d,
    0)) N (pure_to_approx H) d x y D) as K. simpl in K.
  now replace (0 + (1 - 0) * ((exp (eps d) - 1) / (exp (eps d) + 1))) with ((exp (eps d) - 1) / (exp (eps d) + 1)) in K
    by ring.
Qed.

(** ** Trade-off curves *)

(** The two lines that the curve of (eps, delta) must lie above, and zero. *)
Definition two_lines (eps delta alpha : R) := Rmax 0 (Rmax (1 - delta - exp eps * alpha) (exp (- eps) * (1 - delta -
  alpha))).

Lemma ind_two_lines (P Q : dist A) eps delta : ind P Q eps delta -> ind Q P eps delta -> tradeoff P Q (two_lines eps delta).
Proof.
  intros H K f F. pose proof (expect_test Q F). unfold two_lines. repeat apply Rmax_lub; [lra | specialize (K f F); lra|].
  assert (F' : test (fun a => 1 + -1 * f a)) by (intros a; destruct (F a); lra). specialize (H _ F').
  rewrite !expect_plus, !expect_scale, !expect_const in H by auto with bounded.
  assert (E : exp (- eps) * exp eps = 1) by (rewrite <- exp_plus, Rplus_opp_l; apply exp_0).
  pose proof (exp_pos (- eps)). set (v := exp (- eps)) in *. nra.
Qed.

Theorem approx_to_tradeoff (loss : R -> R * R) :
  private_in approx loss -> private_in tradeoff (fun d => two_lines (fst (loss d)) (snd (loss d))).
Proof. intros H d x y D. apply ind_two_lines; [now apply H | apply H, within_sym, D]. Qed.

Theorem pure_to_tradeoff (eps : R -> R) : private_in pure eps ->
  private_in tradeoff (fun d alpha => Rmax 0 (Rmax (1 - exp (eps d) * alpha) (exp (- eps d) * (1 - alpha)))).
Proof.
  intros H d x y D f F. pose proof (approx_to_tradeoff (pure_to_approx H) d x y D F) as K. unfold two_lines in K; simpl in K.
  now rewrite Rminus_0_r in K.
Qed.

Theorem total_variation_to_tradeoff (delta : R -> R) : private_in total_variation delta ->
  private_in tradeoff (fun d alpha => Rmax 0 (1 - delta d - alpha)).
Proof.
  intros H d x y D f F. pose proof (approx_to_tradeoff (total_variation_to_approx H) d x y D F) as K.
  eapply Rle_trans; [|exact K]. unfold two_lines; simpl. rewrite exp_0. apply Rmax_lub; [apply Rmax_l|].
  eapply Rle_trans; [|apply Rmax_r]. eapply Rle_trans; [|apply Rmax_l]. lra.
Qed.

(** The curve may be anything that the lines of all points of the profile bound: their supremum, or the highest of some. *)
Theorem profile_to_tradeoff (delta : R -> R -> R) (b : R -> R -> R) :
  (forall d alpha u, 0 <= d -> 0 <= alpha <= 1 ->
    (forall eps, 0 <= eps -> two_lines eps (delta d eps) alpha <= u) -> b d alpha <= u) ->
  private_in profile delta -> private_in tradeoff b.
Proof.
  intros L H d x y D f F. apply L; [exact (within_nonneg m _ _ _ D) | now apply expect_test|]. intros eps E.
  apply ind_two_lines; [now apply (H d x y D) | now apply (H d y x (within_sym m _ _ _ D)) | exact F].
Qed.

Corollary profile_to_tradeoff_supremum (delta : R -> R -> R) (b : R -> R -> R) :
  (forall d alpha, 0 <= d -> 0 <= alpha <= 1 ->
    is_lub (fun z => exists eps, 0 <= eps /\ z = two_lines eps (delta d eps) alpha) (b d alpha)) ->
  private_in profile delta -> private_in tradeoff b.
Proof.
  intros L. apply profile_to_tradeoff. intros d alpha u Hd I U. apply (L d alpha Hd I). intros z (eps & E & ->). now apply U.
Qed.

(** As the checker takes it: the highest of the lines at some epsilons. *)
Corollary profile_to_tradeoff_highest (delta : R -> R -> R) (epsilons : list R) : Forall (fun eps => 0 <= eps) epsilons ->
  private_in profile delta ->
  private_in tradeoff (fun d alpha => top (map (fun eps => two_lines eps (delta d eps) alpha) epsilons)).
Proof.
  intros E. apply profile_to_tradeoff. intros d alpha u _ _ U. apply top_le.
  - eapply Rle_trans; [|apply (U 0), Rle_refl]. apply Rmax_l.
  - intros a I. apply in_map_iff in I. destruct I as (eps & <- & I). rewrite Forall_forall in E. auto.
Qed.

(** A test can be made to accept more, so true false-negative rates fall. *)
Lemma tradeoff_falls (P Q : dist A) b f hi : tradeoff P Q b -> test f -> P f <= hi <= 1 -> b hi <= 1 - Q f.
Proof.
  intros H F I. pose proof (expect_test P F). pose proof (expect_test Q F).
  destruct (Req_dec (P f) 1) as [E|N]; [replace hi with (P f) by lra; now apply H|].
  set (l := (hi - P f) / (1 - P f)).
  assert (L : 0 <= l <= 1).
  { split; [apply Rdiv_nonneg; lra|]. apply Rmult_le_reg_r with (1 - P f); [lra|].
    unfold l, Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  assert (F' : test (fun a => l + (1 - l) * f a)) by (intros a; destruct (F a); split; nra).
  pose proof (H _ F') as K. rewrite !expect_plus, !expect_const, !expect_scale in K by auto with bounded.
  replace (l + (1 - l) * P f) with hi in K by (unfold l; field; lra). nra.
Qed.

(** Every false-positive rate lies in an interval whose upper end gives a bound of at most [delta]; it may be one point, where
    [delta] is at least the supremum. *)
Theorem tradeoff_to_profile (b : R -> R -> R) (delta : R -> R -> R) :
  (forall d eps alpha, 0 <= d -> 0 <= eps -> 0 <= alpha <= 1 ->
    exists lo hi, lo <= alpha <= hi /\ hi <= 1 /\ 1 - b d hi - exp eps * lo <= delta d eps) ->
  private_in tradeoff b -> private_in profile delta.
Proof.
  intros L H d x y D eps E f F. apply within_sym in D. pose proof (expect_test (M y) F) as T.
  destruct (L d eps (M y f) (within_nonneg m _ _ _ D) E T) as (lo & hi & [H1 H2] & H3 & H4).
  pose proof (tradeoff_falls (H d y x D) F (conj H2 H3)).
  assert (exp eps * lo <= exp eps * M y f) by (apply Rmult_le_compat_l; [left; apply exp_pos | lra]). lra.
Qed.

Corollary tradeoff_to_profile_supremum (b : R -> R -> R) (delta : R -> R -> R) :
  (forall d eps, 0 <= d -> 0 <= eps ->
    is_lub (fun z => exists alpha, 0 <= alpha <= 1 /\ z = 1 - b d alpha - exp eps * alpha) (delta d eps)) ->
  private_in tradeoff b -> private_in profile delta.
Proof.
  intros L. apply tradeoff_to_profile. intros d eps alpha Hd E I. exists alpha, alpha.
  split; [lra|]. split; [lra|]. apply (L d eps Hd E). exists alpha; auto.
Qed.

(** As the checker takes it: between neighbouring cuts of [0, 1], the largest of the bounds of the intervals, and zero. *)
Definition highest_between (b : R -> R) (cuts : list R) (eps : R) : R :=
  top (map (fun ends => 1 - b (snd ends) - exp eps * fst ends) (combine (0 :: cuts) (cuts ++ [1]))).

Lemma between_cuts alpha cuts lo : lo <= alpha <= 1 -> Forall (fun a => a <= 1) cuts ->
  exists a b, In (a, b) (combine (lo :: cuts) (cuts ++ [1])) /\ a <= alpha <= b /\ b <= 1.
Proof.
  intros I F. revert lo I; induction F as [|c cuts C F IH]; intros lo I.
  - exists lo, 1. split; [now left | lra].
  - destruct (Rle_dec alpha c) as [K|K]; [exists lo, c; split; [now left | lra]|].
    destruct (IH c ltac:(lra)) as (a & b & J & K'). exists a, b. split; [now right | exact K'].
Qed.

Corollary tradeoff_to_profile_cuts (b : R -> R -> R) (cuts : list R) : Forall (fun a => a <= 1) cuts ->
  private_in tradeoff b -> private_in profile (fun d => highest_between (b d) cuts).
Proof.
  intros F. apply tradeoff_to_profile. intros d eps alpha _ _ I.
  destruct (between_cuts I F) as (lo & hi & J & K & L). exists lo, hi. split; [exact K|]. split; [exact L|].
  apply top_ge, (in_map (fun ends => 1 - b d (snd ends) - exp eps * fst ends) _ (lo, hi)), J.
Qed.

(** ** From Renyi divergences *)
(** The order may be another at every distance, and of the others nothing is asked. *)
Definition order_epsilon (eps delta alpha : R) := eps + ln ((alpha - 1) / alpha) - (ln delta + ln alpha) / (alpha - 1).

Theorem renyi_to_approx (alpha eps : R -> R) delta : 0 < delta -> (forall d, 0 <= d -> 1 < alpha d) ->
  (forall d x y, m d x y -> renyi_at (alpha d) (M x) (M y) (eps d)) ->
  private_in approx (fun d => (Rmax 0 (order_epsilon (eps d) delta (alpha d)), delta)).
Proof.
  intros Hd Ha H d x y D. apply ind_weaken with (order_epsilon (eps d) delta (alpha d)) delta; [apply Rmax_r | apply Rle_refl |].
  apply at_most_to_ind; [apply Ha, (within_nonneg m _ _ _ D) | exact Hd | now apply H].
Qed.

(** The same for [eps alpha = rho * alpha]: it solves the second equation for eps. *)
Definition tight_epsilon (rho delta alpha : R) := order_epsilon (rho * alpha) delta alpha.

Theorem tight_epsilon_solves rho delta alpha : 0 < delta -> 1 < alpha ->
  delta = exp ((alpha - 1) * (alpha * rho - tight_epsilon rho delta alpha) + alpha * ln (1 - 1 / alpha)) / (alpha - 1).
Proof.
  intros Hd Ha. replace (1 - 1 / alpha) with ((alpha - 1) / alpha) by (field; lra). unfold tight_epsilon, order_epsilon.
  assert (P : 0 < (alpha - 1) / alpha) by (apply Rdiv_lt_0_compat; lra).
  assert (E : ln ((alpha - 1) / alpha) = ln (alpha - 1) - ln alpha) by (unfold Rdiv; rewrite ln_mult, ln_Rinv; try lra;
    apply Rinv_0_lt_compat; lra).
  replace ((alpha - 1) * (alpha * rho - (rho * alpha + ln ((alpha - 1) / alpha) - (ln delta + ln alpha) / (alpha - 1))) +
    alpha * ln ((alpha - 1) / alpha)) with (ln delta + ln (alpha - 1)) by (rewrite E; field; lra).
  rewrite exp_plus, !exp_ln by lra. field; lra.
Qed.

Theorem zcdp_to_approx_tight (alpha rho : R -> R) delta : 0 < delta -> (forall d, 0 <= d -> 1 < alpha d) ->
  private_in zcdp rho -> private_in approx (fun d => (Rmax 0 (tight_epsilon (rho d) delta (alpha d)), delta)).
Proof.
  intros Hd Ha H. apply renyi_to_approx; [exact Hd | exact Ha |].
  intros d x y D. exact (H d x y D (alpha d) (Ha d (within_nonneg m _ _ _ D))).
Qed.

(** The simple form: alpha = 1 + sqrt(ln(1/delta)/rho), and what is dropped is negative. *)
Lemma tight_epsilon_le rho delta alpha : 1 < alpha -> tight_epsilon rho delta alpha <= rho * alpha + - ln delta /
  (alpha - 1).
Proof.
  intros Ha. unfold tight_epsilon, order_epsilon.
  assert (ln ((alpha - 1) / alpha) <= 0).
  { rewrite <- ln_1. apply ln_le; [apply Rdiv_lt_0_compat; lra|].
    apply Rmult_le_reg_r with alpha; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  assert (0 <= ln alpha / (alpha - 1)) by (apply Rdiv_nonneg; [rewrite <- ln_1; apply ln_le; lra | lra]).
  unfold Rdiv in *. lra.
Qed.

Lemma ind_limit (P Q : dist A) eps delta : (forall e, eps < e -> ind P Q e delta) -> ind P Q eps delta.
Proof.
  intros H f F. apply Rnot_lt_le; intros C. pose proof (expect_test Q F) as Qf. pose proof (exp_pos eps) as E.
  set (h := P f - (exp eps * Q f + delta)). assert (h0 : 0 < h) by (unfold h; lra).
  assert (G : 1 < 1 + h / (2 * exp eps)) by (assert (0 < h / (2 * exp eps)) by (apply Rdiv_lt_0_compat; lra); lra).
  specialize (H (eps + ln (1 + h / (2 * exp eps)))). 
  assert (eps < eps + ln (1 + h / (2 * exp eps))) by (apply ln_increasing in G; [rewrite ln_1 in G; lra | lra]).
  specialize (H H0 f F). rewrite exp_plus, exp_ln in H by lra.
  replace (exp eps * (1 + h / (2 * exp eps)) * Q f) with (exp eps * Q f + h / 2 * Q f) in H by (field; lra).
  unfold h in *; nra.
Qed.

Theorem zcdp_to_approx (rho : R -> R) delta : 0 < delta < 1 -> (forall d, 0 <= d -> 0 <= rho d) -> private_in zcdp rho ->
  private_in approx (fun d => (rho d + 2 * sqrt (rho d * ln (1 / delta)), delta)).
Proof.
  intros Hd N H d x y D. unfold approx; simpl. specialize (N d (within_nonneg m _ _ _ D)).
  assert (L : ln (1 / delta) = - ln delta) by (unfold Rdiv; rewrite Rmult_1_l; apply ln_Rinv; lra).
  assert (L0 : 0 < - ln delta) by (assert (ln delta < 0) by (rewrite <- ln_1; apply ln_increasing; lra); lra).
  assert (T : forall alpha, 1 < alpha -> ind (M x) (M y) (rho d * alpha + - ln delta / (alpha - 1)) delta).
  { intros alpha Ha. apply ind_weaken with (3 := at_most_to_ind Ha (proj1 Hd) (H d x y D alpha Ha));
      [now apply tight_epsilon_le | apply Rle_refl]. }
  rewrite L. destruct N as [R0|R0].
  - set (s := sqrt (- ln delta / rho d)).
    assert (s0 : 0 < s) by (apply sqrt_lt_R0, Rdiv_lt_0_compat; lra).
    specialize (T (1 + s) ltac:(lra)). replace (1 + s - 1) with s in T by ring.
    replace (2 * sqrt (rho d * - ln delta)) with (rho d * s + - ln delta / s);
      [replace (rho d + _) with (rho d * (1 + s) + - ln delta / s) by ring; exact T|].
    assert (ss : s * s = - ln delta / rho d) by (apply sqrt_sqrt, Rlt_le, Rdiv_lt_0_compat; lra).
    assert (E : sqrt (rho d * - ln delta) = rho d * s).
    { rewrite <- (sqrt_square (rho d * s)) by nra. f_equal.
      replace (rho d * s * (rho d * s)) with (rho d * rho d * (s * s)) by ring.
      rewrite ss. field; lra. }
    rewrite E. replace (- ln delta) with (rho d * (s * s)) by (rewrite ss; field; lra). field; lra.
  - rewrite <- R0 in *. rewrite Rmult_0_l, sqrt_0. apply ind_limit. intros e He.
    specialize (T (1 + - ln delta / e)). replace (0 * (1 + - ln delta / e) + - ln delta / (1 + - ln delta / e - 1))
      with e in T by (field; lra).
    apply T. assert (0 < - ln delta / e) by (apply Rdiv_lt_0_compat; lra). lra.
Qed.
End Conversions.
