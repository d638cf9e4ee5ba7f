(** * GaussianDP (Dong, Roth, Su 2022)

    P and Q are as hard to tell apart as N(0, 1) and N(mu, 1): a test that accepts P with probability [Phi t] at most
    accepts Q with probability [Phi (t + mu)] at most. That is, with inverses, [1 - Q f >= Phi (Phi^-1 (1 - P f) - mu)].
    The loss is carried as mu squared, which is not negative: else losses would not add up. *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Combinators Normal.
Open Scope R_scope.
Set Implicit Arguments.

(** The chances [p] of P and [q] of Q. *)
Definition below (m p q : R) := forall t, p <= Phi t -> q <= Phi (t + sqrt m).

Definition gaussian : measure R := fun A P Q m => 0 <= m /\ forall f, test f -> below m (P f) (Q f).

(** Its lines: [delta(x) = Phi (mu/2 - x/mu) - e^x Phi (-mu/2 - x/mu)] at every real [x], also below 0. *)
Definition normal_delta (m x : R) :=
  if Rle_dec m 0 then Rmax 0 (1 - exp x)
  else let mu := sqrt m in Phi (mu / 2 - x / mu) - exp x * Phi (- (mu / 2) - x / mu).

(** [Phi (t + mu) - e^x Phi t] is largest at [t = - x/mu - mu/2]. *)
Lemma line_highest m x t : 0 < m -> Phi (t + sqrt m) - exp x * Phi t <= normal_delta m x.
Proof.
  intros M. unfold normal_delta. destruct (Rle_dec m 0) as [|_]; [lra|]. cbv zeta.
  assert (Hmu : 0 < sqrt m) by now apply sqrt_lt_R0. set (mu := sqrt m) in *. set (t0 := - (mu / 2) - x / mu).
  replace (mu / 2 - x / mu) with (t0 + mu) by (unfold t0; field; lra).
  assert (D : forall u, is_derive (fun u => Phi (u + mu) - exp x * Phi u) u (phi (u + mu) - exp x * phi u)).
  { intros u. apply (is_derive_minus (fun u => Phi (u + mu)) (fun u => exp x * Phi u)).
    - evar_last. apply (is_derive_comp Phi (fun u => u + mu) u (phi (u + mu)) 1); [apply Phi_derive | auto_derive; auto].
      unfold scal; simpl; unfold mult; simpl. ring.
    - apply (is_derive_scal Phi u (exp x) (phi u)), Phi_derive. }
  assert (S : forall u, phi (u + mu) - exp x * phi u = (exp (- (mu * u + mu * mu / 2)) - exp x) * phi u).
  { intros u. rewrite phi_shift. ring. }
  assert (E : forall u, - (mu * u + mu * mu / 2) - x = mu * (t0 - u)) by (intros u; unfold t0; field; lra).
  destruct (Rle_dec t t0) as [L|L].
  - apply (@rises (fun u => Phi (u + mu) - exp x * Phi u) _ _ _ (fun u _ => D u)); [|exact L]. intros u [_ U]. rewrite S.
    apply Rmult_le_pos; [|left; apply phi_pos].
    assert (exp x <= exp (- (mu * u + mu * mu / 2))) by (apply exp_le; specialize (E u); nra). lra.
  - assert (K : - (Phi (t0 + mu) - exp x * Phi t0) <= - (Phi (t + mu) - exp x * Phi t)); [|lra].
    apply (@rises (fun u => - (Phi (u + mu) - exp x * Phi u)) (fun u => - (phi (u + mu) - exp x * phi u))); [| |lra].
    + intros u _. apply (is_derive_opp (fun u => Phi (u + mu) - exp x * Phi u)), D.
    + intros u [U _]. rewrite S. pose proof (phi_pos u).
      assert (exp (- (mu * u + mu * mu / 2)) <= exp x) by (apply exp_le; specialize (E u); nra). nra.
Qed.

Lemma normal_delta_pos m x : 0 < m ->
  normal_delta m x = Phi (sqrt m / 2 - x / sqrt m) - exp x * Phi (- (sqrt m / 2) - x / sqrt m).
Proof. intros M. unfold normal_delta. destruct (Rle_dec m 0); [lra | reflexivity]. Qed.

(** A curve under its tangents. *)
Lemma below_lines m p q : 0 <= p <= 1 -> q <= 1 -> (below m p q <-> forall x, q <= exp x * p + normal_delta m x).
Proof.
  intros Hp Hq. destruct (Rle_dec m 0) as [M|M].
  - assert (S0 : sqrt m = 0) by now apply sqrt_neg_0. split.
    + intros H. assert (q <= p).
      { destruct (Req_dec p 1) as [->|N]; [exact Hq|]. apply Rnot_lt_le. intros C.
        destruct (@Phi_takes ((p + q) / 2)) as (t & T); [lra|]. specialize (H t ltac:(lra)). rewrite S0, Rplus_0_r in H. lra. }
      intros x. unfold normal_delta. destruct (Rle_dec m 0) as [_|]; [|lra]. pose proof (exp_pos x).
      destruct (Rle_dec 1 (exp x)); [pose proof (Rmax_l 0 (1 - exp x)) | pose proof (Rmax_r 0 (1 - exp x))]; nra.
    + intros H t T. specialize (H 0). unfold normal_delta in H. destruct (Rle_dec m 0) as [_|]; [|lra].
      rewrite exp_0, Rmax_left in H by lra. rewrite S0, Rplus_0_r. lra.
  - assert (M0 : 0 < m) by lra. split.
    + intros H x. apply le_epsilon. intros e E. pose proof (exp_pos x) as X. destruct (Rle_dec 1 p) as [P1|P1].
      * destruct (Phi_near_1 E) as (t & T). pose proof (line_highest x t M0) as L.
        pose proof (@Phi_le t (t + sqrt m)). pose proof (sqrt_pos m). pose proof (Phi_between t). nra.
      * destruct (@Phi_takes (Rmin (p + e / exp x) ((p + 1) / 2))) as (t & T).
        { assert (0 < e / exp x) by (now apply Rdiv_lt_0_compat). split; [apply Rmin_glb_lt; lra|].
          pose proof (Rmin_r (p + e / exp x) ((p + 1) / 2)). lra. }
        assert (p <= Phi t <= p + e / exp x).
        { rewrite T. assert (0 < e / exp x) by (now apply Rdiv_lt_0_compat). split; [apply Rmin_glb; lra | apply Rmin_l]. }
        specialize (H t (proj1 H0)). pose proof (line_highest x t M0) as L.
        assert (exp x * Phi t <= exp x * (p + e / exp x)) by (apply Rmult_le_compat_l; lra).
        replace (exp x * (p + e / exp x)) with (exp x * p + e) in H1 by (field; lra). lra.
    + intros H t T. assert (Hmu : 0 < sqrt m) by now apply sqrt_lt_R0.
      specialize (H (- (sqrt m * t + sqrt m * sqrt m / 2))). unfold normal_delta in H. destruct (Rle_dec m 0) as [|_]; [lra|].
      cbv zeta in H. set (mu := sqrt m) in *. set (x := - (mu * t + mu * mu / 2)) in *.
      replace (mu / 2 - x / mu) with (t + mu) in H by (unfold x; field; lra).
      replace (- (mu / 2) - x / mu) with t in H by (unfold x; field; lra). pose proof (exp_pos x). nra.
Qed.

(** The measure by its lines. *)
Theorem gaussian_lines A (P Q : dist A) m : gaussian P Q m <-> 0 <= m /\ forall x, ind Q P x (normal_delta m x).
Proof.
  split; intros [N H]; (split; [exact N|]).
  - intros x f F. apply below_lines; [now apply expect_test | now apply expect_test | now apply H].
  - intros f F. apply below_lines; [now apply expect_test | now apply expect_test |]. intros x. now apply H.
Qed.

(** ** Its laws *)
Lemma gaussian_le A (P Q : dist A) m m' : m <= m' -> gaussian P Q m -> gaussian P Q m'.
Proof.
  intros L [N H]. split; [lra|]. intros f F t T. eapply Rle_trans; [exact (H f F t T)|]. apply Phi_le.
  apply sqrt_le_1_alt in L. lra.
Qed.

Lemma gaussian_same A (P Q : dist A) : same P Q -> gaussian P Q 0.
Proof. intros S. split; [lra|]. intros f F t T. rewrite sqrt_0, Rplus_0_r, <- S by auto with bounded. exact T. Qed.

#[export] Instance divergence_gaussian : divergence gaussian.
Proof.
  constructor; simpl; intros.
  - now apply gaussian_same.
  - now apply gaussian_le with l.
  - split; [apply H1|]. intros f F. rewrite <- H, <- H0 by auto with bounded. now apply H1.
  - split; [apply H|]. intros f F. apply H. intros a. now apply expect_test.
  - rewrite gaussian_lines. split; [apply Rnot_lt_le; intros C; apply (dist_inhabited P); intros a; pose proof (proj1 (H a)); lra|].
    intros x. apply (div_inner (ms := approx) P K' K (x, normal_delta l x)). intros a. now apply gaussian_lines.
Qed.

(** Steps add up in mu. *)
Lemma gaussian_trans A (P Q T : dist A) n m : 0 <= n -> 0 <= m ->
  gaussian P Q (n * n * m) -> gaussian Q T m -> gaussian P T ((n + 1) * (n + 1) * m).
Proof.
  intros N M [_ H] [_ K]. split; [nra|]. intros f F t S. specialize (K f F _ (H f F t S)).
  assert (E : forall k, 0 <= k -> sqrt (k * k * m) = k * sqrt m) by (intros; rewrite sqrt_mult, sqrt_square; nra).
  rewrite E in * by lra. now replace (t + (n + 1) * sqrt m) with (t + n * sqrt m + sqrt m) by ring.
Qed.

#[export] Instance groups_gaussian : groups gaussian.
Proof.
  refine {| group := fun d m => d * d * m |}; simpl le; simpl zero; intros.
  - apply gaussian_le with 0; [|now apply gaussian_same]. apply Rmult_le_pos; [nra | exact H].
  - now rewrite !Rmult_1_l.
  - rewrite (S_INR (S n)). apply gaussian_trans with Q; auto using pos_INR.
  - apply gaussian_le with (INR n * INR n * l); [|exact H1]. pose proof (pos_INR n).
    apply Rmult_le_compat_r; [exact H | nra].
Defined.

Theorem group_gaussian X A (m : metric X) (M : X -> dist A) (l : R) : whole m -> respects m M -> 0 <= l ->
  private_at m gaussian M 1 l -> private m gaussian M (fun d => d * d * l).
Proof. intros W Z. exact (@lift _ _ _ _ gaussian _ _ m M l W Z). Qed.
