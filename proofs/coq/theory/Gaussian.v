(** * Discrete Gaussian noise

    P(z) is proportional to [exp(-z^2/(2 sigma^2))] on the integers. At order alpha the density ratio, raised to alpha, tilts
    the bell around y into one around [mu = alpha x - (alpha - 1) y], which weighs no more than a centred one ([Theta.v]). *)
From Coq Require Import Reals Lra Psatz Lia List ZArith.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Norms Combinators Powers Renyi Integers
  RenyiIntegers Theta Laplace.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Noise.
Variable variance : R.                       (* sigma^2, in grid steps squared *)
Hypothesis positive : 0 < variance.
Let c := / (2 * variance).

Lemma c_pos : 0 < c. Proof. apply Rinv_0_lt_compat; lra. Qed.

(** x plus noise. *)
Definition discrete_gaussian (x : Z) : dist Z := proportional (bell_pos c (IZR x)) (summable_bell (IZR x) c_pos).

Lemma theta_integer x : theta c (IZR x) = theta c 0.
Proof. rewrite <- (theta_shift 0 x c_pos). f_equal; ring. Qed.

Theorem discrete_gaussian_mass x k :
  discrete_gaussian x (fun z => if Z.eqb z k then 1 else 0) = exp (- ((IZR (k - x))² / (2 * variance))) / theta c 0.
Proof.
  unfold discrete_gaussian. rewrite proportional_mass. fold (theta c (IZR x)). rewrite theta_integer.
  unfold bell, c. f_equal. f_equal. rewrite minus_IZR. field; lra.
Qed.

(** CKS 2020, Theorem 4 (Proposition 5): at every order. With [D = (x - y)^2], the textbook sum is
    [exp(alpha (alpha - 1) c D) * theta(mu)/theta(0)]. *)
Theorem discrete_gaussian_at_most alpha x y : 1 < alpha ->
  divergence_at_most alpha (discrete_gaussian x) (discrete_gaussian y) (alpha * ((IZR x - IZR y)² / (2 * variance))).
Proof.
  intros Ha. pose proof c_pos as Hc. pose proof (theta_pos 0 Hc) as H0. pose proof (Rinv_0_lt_compat _ H0) as HI.
  replace ((IZR x - IZR y)² / (2 * variance)) with (c * (IZR x - IZR y)²) by (unfold c; field; lra).
  set (D := (IZR x - IZR y)²). set (mu := alpha * IZR x - (alpha - 1) * IZR y).
  set (mass := fun t z => / theta c 0 * bell c t z).
  assert (pos : forall t z, 0 < mass t z) by (intros; apply Rmult_lt_0_compat; [exact HI | apply bell_pos]).
  assert (S : forall t, summable (mass t)) by (intros; now apply summable_scale, summable_bell).
  assert (ex : forall u f, bounded f -> summable (fun z => mass (IZR u) z * f z) /\ discrete_gaussian u f = sumZ (fun z
    => mass (IZR u) z * f z)).
  { intros u f B. split; [now apply summable_times|]. simpl. fold (theta c (IZR u)). rewrite theta_integer, <- sumZ_scale.
    apply sumZ_ext. intros z. unfold mass. ring. }
  assert (E : forall z, exp ((alpha - 1) * (alpha * (c * D))) * mass mu z = summand (mass (IZR x)) (mass (IZR y)) alpha z).
  { intros z. unfold summand, ratio, mass. rewrite rpow_pos.
    - replace (/ theta c 0 * bell c (IZR x) z / (/ theta c 0 * bell c (IZR y) z)) with (exp (c * ((IZR z - IZR y)² -
        (IZR z - IZR x)²))).
      + set (r := exp (c * ((IZR z - IZR y)² - (IZR z - IZR x)²))).
        assert (T : exp ((alpha - 1) * (alpha * (c * D))) * bell c mu z = bell c (IZR y) z * Rpower r alpha).
        { unfold bell, r, D, mu, Rpower. rewrite ln_exp, <- !exp_plus. f_equal. unfold Rsqr. ring. }
        rewrite Rmult_assoc, <- T. ring.
      + unfold bell. replace (c * ((IZR z - IZR y)² - (IZR z - IZR x)²)) with (- (c * (IZR z - IZR x)²) + c * (IZR z -
          IZR y)²) by ring.
        rewrite exp_plus, exp_Ropp, (exp_Ropp (c * (IZR z - IZR y)²)). field.
        repeat split; try apply Rgt_not_eq, exp_pos; lra.
    - apply Rdiv_lt_0_compat; apply pos. }
  apply at_most_of_summable with (mass (IZR x)) (mass (IZR y)); auto.
  - intros z; left; apply pos.
  - intros f B; now apply ex.
  - eapply summable_ext; [exact E | now apply summable_scale].
  - rewrite <- (sumZ_ext _ _ E), sumZ_scale. unfold mass. rewrite sumZ_scale. fold (theta c mu).
    rewrite <- (Rmult_1_r (exp _)) at 2. apply Rmult_le_compat_l; [left; apply exp_pos|].
    rewrite <- (Rinv_l (theta c 0)) by lra. apply Rmult_le_compat_l; [lra | now apply theta_centre].
Qed.

Lemma discrete_gaussian_zcdp x y : zcdp (discrete_gaussian x) (discrete_gaussian y) ((IZR x - IZR y)² / (2 * variance)).
Proof. intros alpha Ha. rewrite Rmult_comm. now apply discrete_gaussian_at_most. Qed.
End Noise.

(** The variance and the distances are in units; a grid step is [g] of them. *)
Lemma variance_in_steps g sigma_squared : 0 < g -> 0 < sigma_squared -> 0 < sigma_squared / (g * g).
Proof. intros; apply Rdiv_lt_0_compat; nra. Qed.

Lemma square_in_units g sigma_squared a b : 0 < g -> 0 < sigma_squared ->
  (IZR a - IZR b)² / (2 * (sigma_squared / (g * g))) = / (2 * sigma_squared) * (g * (IZR b - IZR a) * (g * (IZR b - IZR a))).
Proof. intros; unfold Rsqr; field; lra. Qed.

Theorem gaussian g sigma_squared (G : 0 < g) (S : 0 < sigma_squared) :
  private (absolute g) zcdp (discrete_gaussian (variance_in_steps G S)) (fun d => d * d / (2 * sigma_squared)).
Proof.
  intros d a b H. apply div_le with (2 := discrete_gaussian_zcdp (variance_in_steps G S) a b). simpl.
  rewrite square_in_units by assumption. unfold Rdiv. rewrite Rmult_comm.
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]. simpl in H. apply Rabs_le_between in H. nra.
Qed.

Theorem gaussian_vector g sigma_squared (G : 0 < g) (S : 0 < sigma_squared) :
  private (l2 g) zcdp (noisy (discrete_gaussian (variance_in_steps G S))) (fun d => d / (2 * sigma_squared)).
Proof.
  intros d v w [Len H].
  pose proof (fun K => @noisy_close _ _ zcdp _ _ (discrete_gaussian (variance_in_steps G S))
    (fun a b => (IZR a - IZR b)² / (2 * (sigma_squared / (g * g)))) v w K Len) as N.
  specialize (N (discrete_gaussian_zcdp (variance_in_steps G S))).
  apply div_le with (2 := N). simpl. rewrite plus_all_sum, sum_map.
  rewrite (sum_ext _ (fun p => / (2 * sigma_squared) * (g * (IZR (snd p) - IZR (fst p)) * (g * (IZR (snd p) - IZR (fst
    p))))))
    by (intros; now apply square_in_units).
  rewrite sum_scale. unfold norm2_squared, moves in H. rewrite sum_map in H. unfold Rdiv. rewrite Rmult_comm.
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | exact H].
Qed.
