(** * Counts of keys that are not known beforehand

    Every key that some row has gets its count plus discrete Laplace noise, in an order of the keys alone; those that reach
    the threshold are released. A key that only one of two neighbours has, counts 1 there, and is seen with probability
    [P(1 + Z >= t)] at most; the others move by one count of one key. *)
From Coq Require Import Reals Lra Psatz Lia List Permutation ZArith.
From Coquelicot Require Import Coquelicot.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Steps Persons Combinators Integers
  Laplace SortedKeys.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** ** The tail of the noise: [P(1 + Z >= t) = r^(t-1)/(1 + r)], [r = exp(-1/b)] *)
Section Tail.
Variable s : R.
Hypothesis positive : 0 < s.

Lemma tail (t : Z) : (2 <= t)%Z ->
  discrete_laplace positive 1 (fun z => if Z.leb t z then 1 else 0) = exp (- (IZR (t - 1) / s)) / (1 + exp (- / s)).
Proof.
  intros Ht. pose proof (ratio_between positive) as Q. set (q := exp (- / s)) in *.
  assert (total : sumZ (laplace_weight s 1) = (1 + q) / (1 - q)).
  { pose proof (discrete_laplace_mass positive 1 1) as M. unfold discrete_laplace in M.
    rewrite proportional_mass in M. fold q in M.
    set (Z1 := sumZ (laplace_weight s 1)) in *. assert (0 < Z1) by exact (sumZ_pos (laplace_weight_pos s 1)
      (summable_laplace positive 1)).
    fold (laplace_weight s 1 1) in M. pose proof (laplace_weight_pos s 1 1) as W. set (W1 := laplace_weight s 1 1) in *.
    assert (/ Z1 = (1 - q) / (1 + q)) by (apply Rmult_eq_reg_r with W1; [unfold Rdiv in M; lra | lra]).
    rewrite <- (Rinv_involutive Z1) by lra. rewrite H0. field; lra. }
  simpl. rewrite total.
  assert (B : bounded (fun z => if Z.leb t z then 1 else 0)) by (apply test_bounded; intros z; destruct (Z.leb t z); lra).
  destruct (sumZ_shift t (summable_times (laplace_weight_pos s 1) (summable_laplace positive 1) B)) as [_ <-].
  assert (E : sumZ (fun z => laplace_weight s 1 (z + t) * (if Z.leb t (z + t) then 1 else 0)) = exp (- (IZR (t - 1) /
    s)) / (1 - q)).
  { unfold sumZ.
    rewrite (Series_ext (upper _) (fun n => exp (- (IZR (t - 1) / s)) * q ^ n)).
    - rewrite Series_scal_l, (Series_zero (lower _)).
      + change (Series (pow q)) with (Series (fun n => q ^ n)). rewrite Series_geom by (rewrite Rabs_pos_eq; lra).
        unfold Rdiv; ring.
      + intros n. unfold lower. replace (Z.leb t (- Z.of_nat (S n) + t)) with false by (symmetry; apply Z.leb_gt; lia). ring.
    - intros n. unfold upper. replace (Z.leb t (Z.of_nat n + t)) with true by (symmetry; apply Z.leb_le; lia).
      rewrite Rmult_1_r. unfold laplace_weight, q. rewrite exp_pow, <- exp_plus. f_equal.
      rewrite <- abs_IZR, Z.abs_eq by lia. replace (Z.of_nat n + t - 1)%Z with (Z.of_nat n + (t - 1))%Z by ring.
      rewrite plus_IZR, <- INR_IZR_INZ. field; lra. }
  rewrite E. field; lra.
Qed.
End Tail.

(** ** The release *)
Section Release.
Variables (K : Type) (eqK : forall a b : K, {a = b} + {a <> b}) (scale : R) (t : Z).
Hypothesis positive : 0 < scale.
Hypothesis enough : (2 <= t)%Z.

(** The keys of the list whose noisy counts reach the threshold. *)
Fixpoint release (ks : list K) (count : K -> Z) : dist (list (K * Z)) :=
  match ks with
  | [] => ret []
  | k :: ks => bind (discrete_laplace positive (count k)) (fun z => bind (release ks count) (fun out =>
      ret (if Z.leb t z then (k, z) :: out else out)))
  end.

Definition hidden : R := exp (- (IZR (t - 1) / scale)) / (1 + exp (- / scale)).

Lemma release_ext ks c c' : (forall k, In k ks -> c k = c' k) -> release ks c = release ks c'.
Proof. induction ks as [|k ks IH]; simpl; intros H; [reflexivity|]. rewrite (H k), IH; auto. Qed.

(** One count moves by one. *)
Lemma release_moved ks c c' k0 : NoDup ks -> (forall k, k <> k0 -> c k = c' k) -> Rabs (IZR (c' k0 - c k0)) <= 1 ->
  ind (release ks c) (release ks c') (1 / scale) 0.
Proof.
  intros ND H H0. assert (I0 : 0 < / scale) by now apply Rinv_0_lt_compat.
  induction ks as [|k ks IH]; simpl; [apply ind_weaken with (3 := ind_same (same_refl (ret []))); unfold Rdiv; lra|].
  inversion ND; subst. destruct (eqK k k0) as [->|N].
  - rewrite (release_ext ks c c') by (intros k I; apply H; congruence).
    apply (div_post (ms := pure)). apply ind_weaken with (3 := discrete_laplace_ind positive (c k0) (c' k0));
      [|apply Rle_refl].
    apply Rmult_le_compat_r; [lra | exact H0].
  - rewrite (H k N). apply (div_inner (ms := pure)). intros z. apply (div_post (ms := pure)). now apply IH.
Qed.

(** One key more, with the count 1. *)
Lemma release_new u v c k : c k = 1%Z ->
  ind (release (u ++ k :: v) c) (release (u ++ v) c) 0 hidden /\ ind (release (u ++ v) c) (release (u ++ k :: v) c) 0 hidden.
Proof.
  intros Ck. induction u as [|a u [I1 I2]]; simpl app.
  - assert (G : forall f, test f -> Rabs (release (k :: v) c f - release v c f) <= hidden).
    { intros f F. simpl. rewrite Ck. set (R := release v c).
      set (shown := fun z => R (fun out => f ((k, z) :: out))). set (B := R f).
      assert (Ts : test shown) by (intros z; apply (expect_test R); intros out; apply F).
      assert (TB : 0 <= B <= 1) by now apply (expect_test R).
      set (P := discrete_laplace positive 1). set (seen := fun z => if Z.leb t z then 1 else 0).
      assert (Tseen : test seen) by (intros z; unfold seen; destruct (Z.leb t z); lra).
      assert (E : P (fun z => R (fun out => f (if Z.leb t z then (k,
        z) :: out else out))) = B + P (fun z => seen z * (shown z + - B))).
      { rewrite <- (expect_const P B) at 1. rewrite <- expect_plus; auto with bounded.
        - apply expect_ext.
          + exists 1. intros z. rewrite Rabs_pos_eq; apply (expect_test R); intros out; apply F.
          + intros z. unfold seen, shown. destruct (Z.leb t z); [ring|]. change (R (fun out => f out)) with B. ring.
        - exists 1. intros z. destruct (Ts z), (Tseen z). apply Rabs_le. nra. }
      change (Rabs (P (fun z => R (fun out => f (if Z.leb t z then (k, z) :: out else out))) - B) <= hidden).
      rewrite E. replace (B + P (fun z => seen z * (shown z + - B)) - B) with (P (fun z => seen z * (shown z + - B)))
        by ring.
      unfold hidden. rewrite <- (tail positive enough). fold P seen.
      assert (Bd : bounded (fun z => seen z * (shown z + - B))).
      { exists 1. intros z. destruct (Ts z), (Tseen z). apply Rabs_le. nra. }
      apply Rabs_le. split.
      - replace (- P seen) with (P (fun z => -1 * seen z)) by (rewrite expect_scale by auto with bounded; ring).
        apply expect_le; auto with bounded. intros z. destruct (Ts z), (Tseen z). nra.
      - apply expect_le; auto with bounded. intros z. destruct (Ts z), (Tseen z). nra. }
    split; intros f F; specialize (G f F); apply Rabs_le_between in G; rewrite exp_0; lra.
  - split; [apply (div_inner (ms := approx) _ _ _ (0, hidden)) | apply (div_inner (ms := approx) _ _ _ (0, hidden))];
      intros z;
    apply (div_post (ms := approx) _ _ _ (0, hidden)); assumption.
Qed.
End Release.

Section Rows.
Variables (T K : Type) (eqK : forall a b : K, {a = b} + {a <> b}) (lt : K -> K -> bool) (key : T -> K).
Hypothesis lt_irrefl : forall a, lt a a = false.
Hypothesis lt_trans : forall a b c, lt a b = true -> lt b c = true -> lt a c = true.
Hypothesis lt_total : forall a b, lt a b = false -> lt b a = false -> a = b.
Variables (scale : R) (t : Z).
Hypothesis positive : 0 < scale.
Hypothesis enough : (2 <= t)%Z.

Definition how_many (x : list T) (k : K) : Z := Z.of_nat (length (filter (fun r => if eqK (key r) k then true else
  false) x)).
Definition released (x : list T) : dist (list (K * Z)) := release t positive (keys lt key x) (how_many x).

Lemma how_many_perm x y k : Permutation x y -> how_many x k = how_many y k.
Proof. intros H. unfold how_many. rewrite (Permutation_length (filter_perm _ H)). reflexivity. Qed.

Lemma how_many_0 x k : ~ In k (map key x) -> how_many x k = 0%Z.
Proof.
  unfold how_many. induction x as [|r x IH]; simpl; intros N; [reflexivity|].
  destruct (eqK (key r) k) as [E|E]; [exfalso; apply N; now left | apply IH; tauto].
Qed.

Lemma how_many_cons a x k : how_many (a :: x) k = (how_many x k + if eqK (key a) k then 1 else 0)%Z.
Proof. unfold how_many. simpl. destruct (eqK (key a) k); simpl length; lia. Qed.

Lemma released_perm x y : Permutation x y -> released x = released y.
Proof.
  intros H. unfold released. rewrite (keys_perm lt lt_irrefl lt_trans lt_total key H).
  apply release_ext. intros k _. now apply how_many_perm.
Qed.

Lemma sorted_nodup l : sorted lt l -> NoDup l.
Proof.
  induction l as [|a l IH]; simpl; [constructor|]. intros [H S]. constructor; [|auto].
  intros I. specialize (H a I). rewrite lt_irrefl in H. discriminate.
Qed.

Lemma one_more a x : ind (released (a :: x)) (released x) (1 / scale) (hidden scale t) /\
  ind (released x) (released (a :: x)) (1 / scale) (hidden scale t).
Proof.
  assert (h0 : 0 <= hidden scale t).
  { apply Rdiv_nonneg; [left; apply exp_pos|]. pose proof (exp_pos (- / scale)); lra. }
  assert (s0 : 0 <= 1 / scale) by (apply Rdiv_nonneg; lra).
  assert (S : sorted lt (keys lt key x)) by (apply keys_sorted; assumption).
  assert (cases : In (key a) (keys lt key x) \/ ~ In (key a) (keys lt key x)) by (destruct (in_dec eqK (key a) (keys lt
    key x)); auto).
  unfold released. simpl keys. destruct cases as [I|N].
  - rewrite (@insert_known K lt lt_irrefl lt_trans (key a) _ S I).
    assert (D : forall k, k <> key a -> how_many (a :: x) k = how_many x k).
    { intros k Nk. rewrite how_many_cons. destruct (eqK (key a) k); [congruence | lia]. }
    assert (M : how_many (a :: x) (key a) = (how_many x (key a) + 1)%Z).
    { rewrite how_many_cons. destruct (eqK (key a) (key a)); [reflexivity | contradiction]. }
    split; (eapply ind_weaken; [apply Rle_refl | exact h0 |]); apply (release_moved eqK) with (key a);
      auto using sorted_nodup.
    + rewrite M. replace (how_many x (key a) - (how_many x (key a) + 1))%Z with (-1)%Z by ring.
      rewrite <- abs_IZR; simpl; lra.
    + intros k Nk; symmetry; auto.
    + rewrite M. replace (how_many x (key a) + 1 - how_many x (key a))%Z with 1%Z by ring. rewrite <- abs_IZR; simpl; lra.
  - destruct (@insert_new K lt lt_total (key a) _ N) as (u & v & E & ->). rewrite E in *.
    assert (C1 : how_many (a :: x) (key a) = 1%Z).
    { rewrite how_many_cons, how_many_0 by (rewrite <- (in_keys lt lt_total), E; exact N).
      destruct (eqK (key a) (key a)); [reflexivity | contradiction]. }
    rewrite (@release_ext K scale t positive (u ++ v) (how_many x) (how_many (a :: x))).
    + destruct (release_new positive enough u v (how_many (a :: x)) (key a) C1) as [H1 H2].
      split; (eapply ind_weaken; [exact s0 | apply Rle_refl |]); assumption.
    + intros k I. rewrite how_many_cons. destruct (eqK (key a) k) as [<-|]; [contradiction | lia].
Qed.

(** [delta = exp(-(t-1)/b)/(1 + exp(-1/b))] at d = 1, lifted to d. *)
Theorem threshold_release :
  private symmetric approx released (fun d => (d * (1 / scale), hidden scale t * geometric d (1 / scale))).
Proof.
  assert (h0 : 0 <= hidden scale t).
  { apply Rdiv_nonneg; [left; apply exp_pos|]. pose proof (exp_pos (- / scale)); lra. }
  assert (s0 : 0 <= 1 / scale) by (apply Rdiv_nonneg; lra).
  refine (@lift _ _ _ _ approx _ _ symmetric released (1 / scale, hidden scale t) (@whole_symmetric T) _ (conj s0 h0) _).
  - intros x y H. apply symmetric_0 in H. rewrite (released_perm H). apply same_refl.
  - intros x y (l & r & (c & Hx & Hy) & E). apply (INR_le _ 1) in E. unfold approx; simpl.
    rewrite (released_perm Hx), (released_perm Hy).
    destruct l as [|a [|]], r as [|b [|]]; simpl in E; try lia.
    + eapply ind_weaken; [exact s0 | exact h0 | apply ind_same, same_refl].
    + rewrite app_nil_r, (released_perm (Permutation_app_comm c [b])). apply one_more.
    + rewrite app_nil_r, (released_perm (Permutation_app_comm c [a])). apply one_more.
Qed.
End Rows.
