(** * Composition under GaussianDP

    Let (P, Q) be within mu1, and every (K a, K' a) within mu2. For a test f let h a = K a f and h' a = K' a f: so
    h a <= Phi t implies h' a <= Phi (t + mu2). The lines of the pair of two normals mu = sqrt (mu1^2 + mu2^2) apart are to
    hold between (P, h) and (Q, h'). Cut h at Phi w and h' at Phi (w + mu2), and let w rise from u to v:

      gain w    = Q [min (h', Phi (w + mu2))] - e^l P [min (h, Phi w)],
      gain v - gain u <= (Phi v - Phi u) price u          ([gain_step]: h' gains at most slope u times what h gains, and what
                                                           h gains is a test, to which the line of P and Q applies)
                      <= int_u^v phi price + (Phi v - Phi u) (price u - price v)         (price falls: [price_falls])
      gain v - gain u <= int_u^v phi price                ([no_rise]: the second term vanishes as steps get smaller)
                      <= Phi (mu/2 - l/mu) - e^l (Phi (- mu/2 - l/mu) - (1 - Phi v) - Phi u)      (two half planes)
      Q h' - e^l P h  <= Phi (mu/2 - l/mu) - e^l Phi (- mu/2 - l/mu)                     (u to -infinity, v to infinity) *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From DPcore Require Import Distributions Indistinguishability LossOrder Measures Normal NormalMixtures GaussianDP.
Open Scope R_scope.
Set Implicit Arguments.

(** What rises over each step by less than the step times the fall of B does not rise: halve the steps. *)
Lemma no_rise (J B : R -> R) C : (forall u v, u <= v -> J v - J u <= C * (v - u) * (B u - B v)) ->
  forall u v, u <= v -> J v <= J u.
Proof.
  intros H.
  assert (K : forall n u v, u <= v -> 2 ^ n * (J v - J u) <= C * (v - u) * (B u - B v)).
  { induction n as [|n IH]; intros u v L; simpl; [specialize (H u v L); lra|].
    pose proof (IH u ((u + v) / 2) ltac:(lra)). pose proof (IH ((u + v) / 2) v ltac:(lra)). lra. }
  intros u v L. apply Rnot_lt_le. intros G. set (k := C * (v - u) * (B u - B v)) in *.
  pose proof (H u v L) as k0. fold k in k0. destruct (@nfloor1_ex (k / (J v - J u))) as (n & _ & N).
  { apply Rdiv_lt_0_compat; lra. }
  specialize (K (S n) u v L). fold k in K. simpl in K. pose proof (poly n 1 Rlt_0_1) as E. replace (1 + 1) with 2 in E by ring.
  apply Rmult_le_compat_r with (r := J v - J u) in N; [|lra]. unfold Rdiv in N. rewrite Rmult_assoc, Rinv_l in N by lra.
  assert ((1 + INR n * 1) * (J v - J u) <= 2 ^ n * (J v - J u)) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Lemma Phi_lipschitz u v : u <= v -> Phi v - Phi u <= phi 0 * (v - u).
Proof.
  intros H. assert (phi 0 * u - Phi u <= phi 0 * v - Phi v); [|lra].
  apply rises with (f := fun t => phi 0 * t - Phi t) (f' := fun t => phi 0 - phi t); [| |exact H]; intros t _.
  - apply (is_derive_minus (fun t => phi 0 * t) Phi t (phi 0) (phi t)); [auto_derive; [exact I | ring] | apply Phi_derive].
  - assert (phi t <= phi 0); [|lra]. pose proof half_pos. unfold phi, Rdiv.
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]. apply exp_le. nra.
Qed.

(** P and Q are drawn first; h and h' are the chances of a test after K and K'. *)
Section Compose.
Variables (A : Type) (P Q : dist A) (h h' : A -> R) (m1 m2 l : R).
Hypotheses (Th : test h) (Th' : test h') (m1_pos : 0 < m1) (m2_nonneg : 0 <= m2).
Notation mu1 := (sqrt m1).
Notation mu2 := (sqrt m2).
Notation mu := (sqrt (m1 + m2)).
Hypothesis first : gaussian P Q m1.
Hypothesis second : forall a, below m2 (h a) (h' a).

(** [phi (w + mu2) / phi w]; what P counts against Q at the height w is [e^l / slope w = e^(level w)]. *)
Definition slope (w : R) : R := exp (- (mu2 * w + mu2 * mu2 / 2)).
Definition level (w : R) : R := l + mu2 * w + mu2 * mu2 / 2.
Definition price (w : R) : R := slope w * normal_delta m1 (level w).

Lemma slope_pos w : 0 < slope w. Proof. apply exp_pos. Qed.
Lemma slope_level w : slope w * exp (level w) = exp l.
Proof. unfold slope, level. rewrite <- exp_plus. f_equal. ring. Qed.
Lemma slope_falls u v : u <= v -> slope v <= slope u.
Proof. intros H. apply exp_le. pose proof (sqrt_pos m2). nra. Qed.

(** The price at u is the best that a test of the normals achieves. *)
Lemma price_best w t : slope w * Phi (t + mu1) - exp l * Phi t <= price w.
Proof. unfold price. rewrite <- (slope_level w). pose proof (line_highest (level w) t m1_pos). pose proof (slope_pos w). nra. Qed.

Lemma price_falls u v : u <= v -> price v <= price u.
Proof.
  intros H. set (t := - (mu1 / 2) - level v / mu1). pose proof (price_best u t) as K.
  assert (E : price v = slope v * Phi (t + mu1) - exp l * Phi t).
  { unfold price. rewrite normal_delta_pos by exact m1_pos. rewrite <- (slope_level v). fold t.
    replace (t + mu1) with (mu1 / 2 - level v / mu1) by (unfold t; field; apply Rgt_not_eq, sqrt_lt_R0, m1_pos). ring. }
  rewrite E. pose proof (slope_falls H). pose proof (Phi_between (t + mu1)). nra.
Qed.

(** ** A step *)
Lemma chord u v : u <= v -> Phi (v + mu2) - Phi (u + mu2) <= slope u * (Phi v - Phi u).
Proof.
  intros H. assert (slope u * Phi u - Phi (u + mu2) <= slope u * Phi v - Phi (v + mu2)); [|lra].
  apply rises with (f := fun t => slope u * Phi t - Phi (t + mu2)) (f' := fun t => slope u * phi t - phi (t + mu2)); [| |exact H].
  - intros t _. apply (is_derive_minus (fun t => slope u * Phi t) (fun t => Phi (t + mu2)) t (slope u * phi t) (phi (t + mu2))).
    + apply is_derive_scal, Phi_derive.
    + rewrite <- (Rmult_1_l (phi (t + mu2))). apply (@Phi_along (fun t => t + mu2)). auto_derive; [exact I | ring].
  - intros t [T _]. rewrite phi_shift. fold (slope t). pose proof (slope_falls T). pose proof (phi_pos t). nra.
Qed.

Definition cut (w : R) (a : A) : R := Rmin (h a) (Phi w).
Definition cut' (w : R) (a : A) : R := Rmin (h' a) (Phi (w + mu2)).
Definition gain (w : R) : R := Q (cut' w) - exp l * P (cut w).

Lemma cut_test w : test (cut w).
Proof.
  intros a. destruct (Th a). pose proof (Phi_between w). unfold cut. split; [apply Rmin_glb; lra|].
  eapply Rle_trans; [apply Rmin_l | lra].
Qed.
Lemma cut'_test w : test (cut' w).
Proof.
  intros a. destruct (Th' a). pose proof (Phi_between (w + mu2)). unfold cut'. split; [apply Rmin_glb; lra|].
  eapply Rle_trans; [apply Rmin_l | lra].
Qed.
Hint Resolve cut_test cut'_test : bounded.

(** Where h is below [Phi u] neither gains; between, h is some [Phi t], and h' at most [Phi (t + mu2)]. *)
Lemma cut_step u v a : u <= v -> cut' v a - cut' u a <= slope u * (cut v a - cut u a).
Proof.
  intros H. pose proof (Phi_le H). pose proof (@Phi_le (u + mu2) (v + mu2) ltac:(lra)). pose proof (slope_pos u).
  pose proof (chord H) as C. unfold cut, cut'. destruct (Rle_dec (h a) (Phi u)) as [S|S].
  - rewrite !(Rmin_left (h a)) by lra. pose proof (@second a u S). rewrite !Rmin_left by lra. lra.
  - rewrite (Rmin_right (h a) (Phi u)) by lra. destruct (Rle_dec (Phi v) (h a)) as [L|L].
    + rewrite (Rmin_right (h a) (Phi v)) by lra. unfold Rmin; repeat destruct Rle_dec; lra.
    + rewrite (Rmin_left (h a) (Phi v)) by lra. destruct (@Phi_takes (h a)) as (t & T).
      { pose proof (Phi_between u). pose proof (Phi_between v). lra. }
      assert (u <= t) as U by (apply Phi_le_inv; lra).
      pose proof (@second a t ltac:(lra)). pose proof (chord U). rewrite <- T.
      pose proof (@Phi_le (u + mu2) (t + mu2) ltac:(lra)). unfold Rmin; repeat destruct Rle_dec; lra.
Qed.

Lemma gain_step u v : u <= v -> gain v - gain u <= (Phi v - Phi u) * price u.
Proof.
  intros [H| ->]; [|lra]. pose proof (Phi_increasing H). pose proof (slope_pos u). set (d := Phi v - Phi u).
  set (T := fun a => / d * (cut v a - cut u a)). assert (d0 : 0 < d) by (unfold d; lra).
  assert (E : forall a, cut v a = cut u a + d * T a) by (intros a; unfold T; field; lra).
  assert (TT : test T).
  { intros a. assert (0 <= cut v a - cut u a <= d) as [L U].
    { unfold cut, d, Rmin; repeat destruct Rle_dec; lra. }
    unfold T. pose proof (Rinv_0_lt_compat d d0). split; [nra|].
    rewrite <- (Rinv_l d) by lra. apply Rmult_le_compat_l; lra. }
  assert (EP : P (cut v) = P (cut u) + d * P T).
  { rewrite <- expect_scale, <- expect_plus by auto with bounded. apply expect_ext; auto with bounded. }
  assert (LQ : Q (cut' v) <= Q (cut' u) + slope u * d * Q T).
  { rewrite <- expect_scale, <- expect_plus by auto with bounded. apply expect_le; auto with bounded.
    intros a. pose proof (@cut_step u v a ltac:(lra)) as S. rewrite E in S. lra. }
  unfold gain. rewrite EP. pose proof (proj2 (proj1 (gaussian_lines P Q m1) first) (level u) T TT) as L. unfold price. rewrite <- (slope_level u).
  apply Rmult_le_compat_l with (r := d * slope u) in L; [|nra]. lra.
Qed.

(** ** All steps

    [priced] is phi times price: two normals below a line, once with the density moved by mu2. *)
Notation b := (- mu2 / mu1).
Notation a1 := (((m1 + m2) / 2 - l) / mu1).
Notation a2 := ((- (m1 + m2) / 2 - l) / mu1).
Definition priced (w : R) : R := phi (w + mu2) * Phi (a1 + b * (w + mu2)) - exp l * (phi w * Phi (a2 + b * w)).

Lemma mu1_pos : 0 < mu1. Proof. now apply sqrt_lt_R0. Qed.
Lemma mu_pos : 0 < mu. Proof. apply sqrt_lt_R0. lra. Qed.

Lemma priced_price w : priced w = phi w * price w.
Proof.
  pose proof mu1_pos. assert (S1 : m1 = mu1 * mu1) by (rewrite sqrt_sqrt; lra).
  assert (S2 : m2 = mu2 * mu2) by (rewrite sqrt_sqrt; lra).
  unfold priced, price. rewrite normal_delta_pos by exact m1_pos. rewrite <- (slope_level w), phi_shift. fold (slope w).
  replace (a1 + b * (w + mu2)) with (mu1 / 2 - level w / mu1).
  { replace (a2 + b * w) with (- (mu1 / 2) - level w / mu1); [ring|].
    unfold level. apply Rmult_eq_reg_r with (2 * mu1); [|lra]. field_simplify; lra. }
  unfold level. apply Rmult_eq_reg_r with (2 * mu1); [|lra]. field_simplify; lra.
Qed.

Lemma stretch_is : stretch b = mu / mu1.
Proof.
  pose proof mu1_pos. pose proof mu_pos. unfold stretch. apply sqrt_lem_1.
  - nra.
  - apply Rlt_le, Rdiv_lt_0_compat; lra.
  - assert (S1 : mu1 * mu1 = m1) by (apply sqrt_sqrt; lra). assert (S2 : mu2 * mu2 = m2) by (apply sqrt_sqrt; lra).
    assert (S : mu * mu = m1 + m2) by (apply sqrt_sqrt; lra).
    replace (mu / mu1 * (mu / mu1)) with (mu * mu / (mu1 * mu1)) by (field; lra).
    replace (b * b) with (mu2 * mu2 / (mu1 * mu1)) by (field; lra). rewrite S, S1, S2. field. lra.
Qed.

Lemma priced_integral u v :
  is_RInt priced u v (half_plane a1 b (u + mu2) (v + mu2) - exp l * half_plane a2 b u v).
Proof.
  apply (is_RInt_minus (fun w => phi (w + mu2) * Phi (a1 + b * (w + mu2))) (fun w => exp l * (phi w * Phi (a2 + b * w)))).
  - apply half_plane_moved.
  - apply (is_RInt_scal (fun w => phi w * Phi (a2 + b * w)) u v (exp l)), (@RInt_correct R_CompleteNormedModule), line_integrable.
Qed.

Lemma priced_integrable u v : ex_RInt priced u v.
Proof. eexists. apply priced_integral. Qed.

Lemma priced_sum u v : RInt priced 0 u + RInt priced u v = RInt priced 0 v.
Proof. exact (RInt_Chasles priced 0 u v (priced_integrable _ _) (priced_integrable _ _)). Qed.

Lemma priced_total u v : u <= v -> RInt priced u v <= normal_delta (m1 + m2) l + exp l * (1 - Phi v + Phi u).
Proof.
  intros H. pose proof mu1_pos. pose proof mu_pos. assert (S : mu * mu = m1 + m2) by (apply sqrt_sqrt; lra).
  pose proof (@half_plane_le b a1 (u + mu2) (v + mu2) ltac:(lra)) as U. pose proof (@half_plane_ge a2 b u v H) as L.
  rewrite stretch_is in U, L. rewrite Phi_opp in L.
  replace (a1 / (mu / mu1)) with (mu / 2 - l / mu) in U by (revert S H1; generalize mu; intros M <- ?; field; lra).
  replace (a2 / (mu / mu1)) with (- (mu / 2) - l / mu) in L by (revert S H1; generalize mu; intros M <- ?; field; lra).
  rewrite (is_RInt_unique _ _ _ _ (priced_integral u v)), normal_delta_pos by lra.
  apply Rmult_le_compat_l with (r := exp l) in L; [lra | left; apply exp_pos].
Qed.

Lemma gain_total u v : u <= v -> gain v - gain u <= RInt priced u v.
Proof.
  assert (K : forall u v, u <= v -> gain v - RInt priced 0 v <= gain u - RInt priced 0 u).
  { apply (@no_rise (fun w => gain w - RInt priced 0 w) price (phi 0)). clear u v. intros u v H.
    pose proof (priced_sum u v).
    assert (L : price v * (Phi v - Phi u) <= RInt priced u v).
    { rewrite <- phi_integral. replace (price v * RInt phi u v) with (RInt (fun w => price v * phi w) u v)
        by (apply (RInt_scal phi u v), phi_integrable).
      apply RInt_le; [exact H | apply (ex_RInt_scal phi), phi_integrable | apply priced_integrable|].
      intros w W. rewrite priced_price. pose proof (phi_pos w). pose proof (@price_falls w v ltac:(lra)). nra. }
    pose proof (gain_step H). pose proof (price_falls H).
    assert ((Phi v - Phi u) * (price u - price v) <= phi 0 * (v - u) * (price u - price v))
      by (apply Rmult_le_compat_r; [lra | now apply Phi_lipschitz]). lra. }
  intros H. specialize (K u v H).
  pose proof (priced_sum u v). lra.
Qed.

(** ** From end to end: u and v so far out that less than e is missing *)
Lemma composed_line : Q h' <= exp l * P h + normal_delta (m1 + m2) l.
Proof.
  apply le_epsilon. intros e e0. pose proof (exp_pos l) as l0. pose proof (sqrt_pos m2).
  destruct (@Phi_near_1 (e / (2 + 2 * exp l))) as (s & S); [apply Rdiv_lt_0_compat; lra|].
  set (d := e / (2 + 2 * exp l)) in *. assert (E : e = d * (2 + 2 * exp l)) by (unfold d; field; lra).
  set (v := Rmax s 0). assert (V : 1 - d < Phi v) by (pose proof (@Phi_le s v (Rmax_l _ _)); lra).
  assert (v0 : 0 <= v) by apply Rmax_r. set (u := - (v + mu2)).
  pose proof (@gain_total u v ltac:(unfold u; lra)) as G. pose proof (@priced_total u v ltac:(unfold u; lra)) as I.
  assert (U1 : Phi (u + mu2) = 1 - Phi v) by (rewrite <- Phi_opp; f_equal; unfold u; ring).
  assert (U2 : Phi u = 1 - Phi (v + mu2)) by apply Phi_opp.
  pose proof (@Phi_le v (v + mu2) ltac:(lra)) as M.
  assert (Q h' <= Q (cut' v) + (1 - Phi (v + mu2))).
  { rewrite <- (expect_const Q (1 - _)), <- expect_plus by auto with bounded. apply expect_le; auto with bounded.
    intros a. destruct (Th' a). pose proof (Phi_between (v + mu2)). unfold cut', Rmin. destruct Rle_dec; lra. }
  assert (P (cut v) <= P h) by (apply expect_le; auto with bounded; intros a; apply Rmin_l).
  assert (Q (cut' u) <= Phi (u + mu2)).
  { rewrite <- (expect_const Q). apply expect_le; auto with bounded. intros a; apply Rmin_r. }
  pose proof (expect_test P (cut_test u)). unfold gain in G. nra.
Qed.
End Compose.

(** Losses add up in mu squared. *)
#[export] Instance composes_gaussian : composes gaussian.
Proof.
  constructor. intros A B P Q K K' m1 m2 H1 H2. simpl Rle. pose proof (proj1 H1) as N1.
  assert (N2 : 0 <= m2).
  { apply Rnot_lt_le. intros C. apply (dist_inhabited P). intros a. pose proof (proj1 (H2 a)). lra. }
  destruct N1 as [N1|<-].
  - apply gaussian_lines. split; [simpl; lra|]. intros x f F. simpl. apply composed_line; auto.
    + intros a. now apply expect_test.
    + intros a. now apply expect_test.
    + intros a. now apply (H2 a).
  - (* the first tells nothing apart *)
    split; [simpl; lra|]. intros f F t T. simpl. rewrite Rplus_0_l.
    pose proof (proj2 (div_inner (ms := gaussian) P K K' m2 H2) f F t T) as I.
    apply (proj2 H1 (fun a => K' a f)) in I; [|intros a; now apply expect_test]. now rewrite sqrt_0, Rplus_0_r in I.
Qed.
