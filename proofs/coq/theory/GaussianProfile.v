(** * The exact profile of discrete Gaussian noise (CKS 2020, Theorem 7)

    Between the distributions around 0 and around -k the best test is "z is above [eps v/k - k/2]": there the likelihood
    ratio exceeds [exp eps]. A half-line loses probability as the centre moves away from it,
      so the largest k is the worst. *)
From Coq Require Import Reals Lra Psatz Lia ZArith.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Norms Integers Theta Gaussian.
Open Scope R_scope.
Set Implicit Arguments.

Section Profile.
Variable v : R.
Hypothesis positive : 0 < v.
Notation N := (discrete_gaussian positive).

Definition over (x : R) (z : Z) : R := if Rlt_dec x (IZR z) then 1 else 0.
(** P(Z > x), for noise around 0. *)
Definition above (x : R) : R := N 0 (over x).

Lemma test_over x : test (over x).
Proof. intros z; unfold over; destruct (Rlt_dec _ _); lra. Qed.

Definition near (eps k : R) : R := eps * v / k - k / 2.
Definition far (eps k : R) : R := eps * v / k + k / 2.

(** ** Shifts and reflection *)
Lemma gaussian_shift x k f : bounded f -> N (x + k) f = N x (fun z => f (z + k)%Z).
Proof.
  intros B. simpl. fold (theta (/ (2 * v)) (IZR (x + k))) (theta (/ (2 * v)) (IZR x)).
  rewrite (theta_integer positive (x + k)), (theta_integer positive x). f_equal.
  destruct (sumZ_shift k (summable_times (bell_pos (/ (2 * v)) (IZR (x + k))) (summable_bell (IZR (x + k)) (c_pos
    positive)) B)) as [_ <-].
  apply sumZ_ext. intros z. f_equal. unfold bell. do 3 f_equal. rewrite !plus_IZR. f_equal. ring.
Qed.

Lemma sumZ_reflect g : summable g -> summable (fun z => g (- z)%Z) /\ sumZ (fun z => g (- z)%Z) = sumZ g.
Proof.
  intros S. pose proof (summable_succ S) as S1. pose proof (sumZ_succ S) as E1. destruct S1 as [A B]. unfold sumZ in *.
  assert (U : forall n, upper (fun z => g (z + 1)%Z) n = lower (fun z => g (- z)%Z) n) by (intros n;
    unfold upper, lower; f_equal; lia).
  assert (D : forall n, lower (fun z => g (z + 1)%Z) n = upper (fun z => g (- z)%Z) n) by (intros n;
    unfold upper, lower; f_equal; lia).
  split; [split; [eapply Series.ex_series_ext; [exact D | exact B] | eapply Series.ex_series_ext; [exact U | exact A]]|].
  rewrite <- E1, (Series.Series_ext _ _ U), (Series.Series_ext _ _ D). ring.
Qed.

Lemma gaussian_reflect x f : bounded f -> N (- x) f = N x (fun z => f (- z)%Z).
Proof.
  intros B. simpl. fold (theta (/ (2 * v)) (IZR (- x))) (theta (/ (2 * v)) (IZR x)).
  rewrite (theta_integer positive (- x)), (theta_integer positive x). f_equal.
  destruct (sumZ_reflect (summable_times (bell_pos (/ (2 * v)) (IZR (- x))) (summable_bell (IZR (- x)) (c_pos
    positive)) B)) as [_ <-].
  apply sumZ_ext. intros z. f_equal. unfold bell. f_equal. rewrite !opp_IZR. unfold Rsqr. ring.
Qed.

Lemma over_bounded x : bounded (over x). Proof. apply test_bounded, test_over. Qed.

(** P(Z > x) as a half-line of weights. *)
Lemma above_half_line x m : x < IZR m <= x + 1 ->
  above x = half_line (/ (2 * v)) m / theta (/ (2 * v)) 0.
Proof.
  intros M. unfold above, Rdiv. simpl. fold (theta (/ (2 * v)) 0). rewrite Rmult_comm. f_equal. set (c := / (2 * v)).
  assert (S : summable (fun z => bell c 0 z * over x z)) by
    (apply summable_times; [apply bell_pos | apply summable_bell, (c_pos positive) | apply over_bounded]).
  assert (O : forall z, over x z = if Z.leb m z then 1 else 0).
  { intros z. unfold over. destruct (Rlt_dec x (IZR z)), (Z.leb_spec m z) as [L|L]; try reflexivity; exfalso.
    - assert (IZR (z + 1) <= IZR m) by (apply IZR_le; lia). rewrite plus_IZR in H. lra.
    - apply IZR_le in L. lra. }
  destruct (sumZ_shift m S) as [_ <-]. unfold sumZ. rewrite (@Series_zero (lower _)), Rplus_0_r.
  - apply Series.Series_ext. intros n. unfold upper. rewrite O, (proj2 (Z.leb_le _ _)) by lia.
    rewrite Rmult_1_r. f_equal. lia.
  - intros n. unfold lower. rewrite O, (proj2 (Z.leb_gt _ _)) by lia. ring.
Qed.

(** ** The best test *)
Lemma best_test eps j f : (0 < j)%Z -> test f ->
  N 0 f + exp eps * N (- j) (over (near eps (IZR j))) <= N 0 (over (near eps (IZR j))) + exp eps * N (- j) f.
Proof.
  intros Hj F. assert (j0 : 0 < IZR j) by now apply IZR_lt. set (S := over (near eps (IZR j))).
  assert (BS : bounded S) by apply over_bounded. assert (BF : bounded f) by auto with bounded.
  simpl. set (c := / (2 * v)). pose proof (c_pos positive) as Hc. fold c in Hc.
  fold (theta c (IZR 0)) (theta c (IZR (- j))). unfold c. rewrite (theta_integer positive (- j)). fold c.
  pose proof (theta_pos 0 Hc) as T. pose proof (Rinv_0_lt_compat _ T) as I.
  set (s0 := fun h : Z -> R => sumZ (fun z => bell c (IZR 0) z * h z)).
  set (sj := fun h : Z -> R => sumZ (fun z => bell c (IZR (- j)) z * h z)).
  change (/ theta c 0 * s0 f + exp eps * (/ theta c 0 * sj S) <= / theta c 0 * s0 S + exp eps * (/ theta c 0 * sj f)).
  assert (sum0 : forall h, bounded h -> summable (fun z => bell c (IZR 0) z * h z)) by (intros; apply summable_times;
    auto using bell_pos, summable_bell).
  assert (sumj : forall h, bounded h -> summable (fun z => exp eps * (bell c (IZR (- j)) z * h z)))
    by (intros; apply summable_scale, summable_times; auto using bell_pos, summable_bell).
  assert (G : s0 f + exp eps * sj S <= s0 S + exp eps * sj f); [|nra].
  unfold s0, sj. rewrite <- !sumZ_scale, <- !sumZ_plus by auto. apply sumZ_le; [|apply summable_plus; auto].
  intros z. pose proof (bell_pos c (IZR 0) z) as b0. pose proof (bell_pos c (IZR (- j)) z) as bj.
  pose proof (exp_pos eps) as e0.
  destruct (F z) as [F0 F1]. pose proof (test_over (near eps (IZR j)) z) as [S0 S1]. fold S in S0, S1.
  split; [apply Rplus_le_le_0_compat; repeat apply Rmult_le_pos; lra|].
  (* the weight around 0 exceeds exp eps times the other exactly above [near] *)
  assert (E : bell c (IZR 0) z = exp (c * (2 * IZR j * IZR z + IZR j * IZR j)) * bell c (IZR (- j)) z).
  { unfold bell. rewrite <- exp_plus. f_equal. rewrite opp_IZR. unfold Rsqr. simpl. ring. }
  assert (X : c * (2 * IZR j * IZR z + IZR j * IZR j) - eps = IZR j / v * (IZR z - near eps (IZR j))) by (unfold c,
    near; field; lra).
  assert (jv : 0 < IZR j / v) by (apply Rdiv_lt_0_compat; lra).
  unfold S, over in *. destruct (Rlt_dec (near eps (IZR j)) (IZR z)) as [L|L].
  - assert (exp eps * bell c (IZR (- j)) z <= bell c (IZR 0) z).
    { rewrite E. apply Rmult_le_compat_r; [lra|]. apply exp_le.
      assert (0 <= IZR j / v * (IZR z - near eps (IZR j))) by (apply Rmult_le_pos; lra). lra. }
    nra.
  - assert (bell c (IZR 0) z <= exp eps * bell c (IZR (- j)) z).
    { rewrite E. apply Rmult_le_compat_r; [lra|]. apply exp_le.
      assert (IZR j / v * (IZR z - near eps (IZR j)) <= 0) by (apply Rnot_lt_le in L; nra). lra. }
    nra.
Qed.

Lemma above_far eps k : (0 < k)%Z -> N (- k) (over (near eps (IZR k))) = above (far eps (IZR k)).
Proof.
  intros Hk. unfold above. replace 0%Z with (- k + k)%Z at 1 by ring. rewrite gaussian_shift by apply over_bounded.
  apply expect_ext; [apply over_bounded|]. intros z. unfold over, near, far. rewrite plus_IZR.
  destruct (Rlt_dec _ _), (Rlt_dec _ _); lra || reflexivity.
Qed.

Lemma centre_away x j k : (j <= k)%Z -> N (- k) (over x) <= N (- j) (over x).
Proof.
  intros H. replace (- j)%Z with (- k + (k - j))%Z by ring. rewrite gaussian_shift by apply over_bounded.
  apply expect_le; [apply over_bounded | destruct (over_bounded x) as [B HB]; exists B; auto |].
  intros z. unfold over. rewrite plus_IZR. apply IZR_le in H. rewrite minus_IZR.
  destruct (Rlt_dec x (IZR z)), (Rlt_dec x (IZR z + (IZR k - IZR j))); lra.
Qed.

(** Any shift of at most k. *)
Lemma profile_bound eps j k f : (0 < j <= k)%Z -> test f ->
  N 0 f <= exp eps * N (- j) f + (above (near eps (IZR k)) - exp eps * above (far eps (IZR k))).
Proof.
  intros [Hj Hk] F. pose proof (best_test eps Hj F) as B1.
  pose proof (@best_test eps k (over (near eps (IZR j))) ltac:(lia) (test_over _)) as B2.
  pose proof (centre_away (near eps (IZR j)) Hk) as C. rewrite above_far in B2 by lia. pose proof (exp_pos eps).
  fold (above (near eps (IZR k))) in B2. nra.
Qed.
End Profile.

(** d and sigma counted in grid steps, d rounded down to a whole number of them. *)
Definition gaussian_delta (v : R) (positive : 0 < v) (k eps : R) : R :=
  if Req_EM_T k 0 then 0 else Rmax 0 (above positive (near v eps k) - exp eps * above positive (far v eps k)).

Theorem gaussian_profile g sigma_squared (G : 0 < g) (S : 0 < sigma_squared) :
  private (absolute g) profile (discrete_gaussian (variance_in_steps G S))
    (fun d => gaussian_delta (variance_in_steps G S) (IZR (Int_part (d / g)))).
Proof.
  intros d a b H eps He f F. set (pos := variance_in_steps G S). set (k := Int_part (d / g)). simpl in H.
  assert (J : (Z.abs (b - a) <= k)%Z).
  { apply Z.lt_succ_r, lt_IZR. rewrite succ_IZR, abs_IZR, minus_IZR. destruct (base_Int_part (d / g)) as [_ B]. fold k in B.
    rewrite Rabs_mult, (Rabs_pos_eq g) in H by lra. apply Rmult_le_compat_l with (r := / g) in H; [|left;
      now apply Rinv_0_lt_compat].
    rewrite <- Rmult_assoc, Rinv_l, Rmult_1_l in H by lra. unfold Rdiv in B. lra. }
  unfold gaussian_delta. destruct (Z.eq_dec a b) as [<-|D].
  - pose proof (expect_test (discrete_gaussian pos a) F). pose proof (exp_ge_1 He).
    destruct (Req_EM_T (IZR k) 0); [nra|]. pose proof (Rmax_l 0 (above pos (near (sigma_squared / (g * g)) eps (IZR k))
      - exp eps * above pos (far (sigma_squared / (g * g)) eps (IZR k)))). nra.
  - assert (k0 : (0 < k)%Z) by lia. destruct (Req_EM_T (IZR k) 0) as [Z0|_]; [apply IZR_lt in k0; lra|].
    eapply Rle_trans; [|apply Rplus_le_compat_l, Rmax_r].
    assert (Shift : forall x, discrete_gaussian pos x f = discrete_gaussian pos (x - a) (fun z => f (z + a)%Z)).
    { intros x. replace x with (x - a + a)%Z at 1 by ring. apply gaussian_shift; auto with bounded. }
    rewrite (Shift a), (Shift b). replace (a - a)%Z with 0%Z by ring.
    assert (Fa : test (fun z => f (z + a)%Z)) by (intros z; apply F).
    destruct (Z.lt_trichotomy b a) as [L|[L|L]]; [| congruence |].
    + replace (b - a)%Z with (- (a - b))%Z by ring. apply profile_bound; [lia | exact Fa].
    + (* reflected *)
      assert (Fr : test (fun z => f (- z + a)%Z)) by (intros z; apply F).
      pose proof (@profile_bound _ pos eps (b - a) k _ ltac:(lia) Fr) as B.
      rewrite <- (@gaussian_reflect _ pos 0%Z (fun z => f (z + a)%Z) (test_bounded Fa)) in B.
      rewrite <- (@gaussian_reflect _ pos (- (b - a))%Z (fun z => f (z + a)%Z) (test_bounded Fa)) in B.
      replace (- 0)%Z with 0%Z in B by reflexivity. replace (- - (b - a))%Z with (b - a)%Z in B by ring. exact B.
Qed.
