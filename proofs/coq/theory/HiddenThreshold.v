(** * What is lost where above-thresholds are asked between other questions

    Fix two data sets. Whatever was asked of one above-threshold, and answered, the probability of these answers is one of the
    hidden level: the two data sets lead to numbers p and q, within [exp whole_loss] of each other. These are a randomized
    response, and two mechanisms that do not see the data ([Halves.v]). So in place of the hidden level the randomized response may
    be drawn, when the above-threshold is begun; what is answered later is drawn from the half, given the answers before it; and
    nobody sees a difference ([replaced]). What then is asked of the data are measurements only: those of the analyst, and a
    randomized response for each above-threshold. So in every measure whose losses add up, whatever is asked next depends on, all
    answers lose at most the budget, if what is charged for an above-threshold is at least what a randomized response of its
    [whole_loss] loses. (Vadhan and Wang 2021 and Lyu 2022 reduce interactive mechanisms to it.)

    Measurements that are asked in between do not commute with a hidden level as they stand: [Interchange.v]. *)
From Coq Require Import Reals Lra Psatz Lia List ZArith.
From DPcore Require Import Distributions Indistinguishability Measures Integers Laplace AboveThreshold Filters Interchange Halves Talk.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Lists.
Variable A : Type.
Implicit Types (l : list A) (a b : A).
Lemma put_length i a l : length (put i a l) = length l.
Proof. revert i; induction l as [|b l IH]; intros [|i]; simpl; congruence. Qed.
Lemma put_here i a l : (i < length l)%nat -> nth_error (put i a l) i = Some a.
Proof. revert i; induction l as [|b l IH]; intros [|i] H; simpl in *; try lia; [reflexivity | apply IH; lia]. Qed.
Lemma put_there i j a l : i <> j -> nth_error (put i a l) j = nth_error l j.
Proof. revert i j; induction l as [|b l IH]; intros [|i] [|j] H; simpl; try congruence; apply IH; congruence. Qed.
Lemma put_again i a b l : put i a (put i b l) = put i a l.
Proof. revert i; induction l as [|c l IH]; intros [|i]; simpl; congruence. Qed.
Lemma put_two i j a b l : i <> j -> put i a (put j b l) = put j b (put i a l).
Proof. revert i j; induction l as [|c l IH]; intros [|i] [|j] H; simpl; try congruence. f_equal. apply IH. congruence. Qed.
Lemma put_app i a l m : (i < length l)%nat -> put i a l ++ m = put i a (l ++ m).
Proof. revert i; induction l as [|c l IH]; intros [|i] H; simpl in *; try lia; [reflexivity|]. f_equal. apply IH. lia. Qed.
Lemma put_last a b l : put (length l) a (l ++ [b]) = l ++ [a].
Proof. induction l; simpl; congruence. Qed.
Lemma put_all (P : A -> Prop) i a l : Forall P l -> P a -> Forall P (put i a l).
Proof. intros H Pa. revert i; induction H as [|b l Hb H IH]; intros [|i]; simpl; auto. Qed.
End Lists.

Section Hidden.
Variables (X A : Type) (x y : X).
Definition data (first : bool) : X := if first then x else y.
Notation query := (X -> Z).
Notation seen := (list (event A)).
Variables (ask : seen -> option (question X A)) (allowed : seen -> bool).

(** What was asked of one above-threshold, and answered: the latest first. *)
Notation history := (list (query * bool)).

(** What stands behind an above-threshold: with which probability the next number is above, after what was told. *)
Record machine := { says : history -> query -> X -> R; told : history; left_ : nat; at_most : R }.
Definition advanced (l : machine) (q : query) (a : bool) : machine :=
  {| says := says l; told := (q, a) :: told l; left_ := if a then pred (left_ l) else left_ l; at_most := at_most l |}.

(** ** One above-threshold *)
Section One.
Variables (m : R) (m0 : 0 <= m) (threshold : Z) (bT bQ : R) (T : 0 < bT) (Q : 0 < bQ) (hits : nat).
Notation D := (discrete_laplace T threshold).
Let E := exp (whole_loss m bT bQ hits).

(** The probability of what was told, for a hidden level; and drawn with it. *)
Fixpoint weight (d : X) (h : history) (z : Z) : R :=
  match h with
  | [] => 1
  | (q, a) :: h => weight d h z * (if a then above Q z (q d) else 1 - above Q z (q d))
  end.
Definition chance (d : X) (h : history) : R := D (weight d h).
Definition halved (b : bool) (h : history) : R := half E (chance (data b) h) (chance (data (negb b)) h).

Definition plain (z : Z) (h : history) (left : nat) : machine :=
  {| says := fun _ q d => above Q z (q d); told := h; left_ := left; at_most := m |}.
Definition split (b : bool) (h : history) (left : nat) : machine :=
  {| says := fun h q _ => halved b ((q, true) :: h) / halved b h; told := h; left_ := left; at_most := m |}.

Definition moved (h : history) : Prop := Forall (fun p => Rabs (IZR (fst p y) - IZR (fst p x)) <= m) h.
Definition found (h : history) : nat := length (List.filter snd h).

Lemma weight_test d h : test (weight d h).
Proof.
  intros z. induction h as [|[q a] h IH]; simpl; [lra|]. pose proof (above_between Q z (q d)). destruct a; nra.
Qed.
Lemma chance_between d h : 0 <= chance d h <= 1.
Proof. apply expect_test, weight_test. Qed.
Lemma chance_nil d : chance d [] = 1.
Proof. exact (expect_one D). Qed.
Lemma chance_cons d h q : chance d ((q, true) :: h) + chance d ((q, false) :: h) = chance d h.
Proof.
  unfold chance. rewrite <- expect_plus by (apply test_bounded, weight_test). apply expect_ext.
  - apply bounded_plus; apply test_bounded, weight_test.
  - intros z. simpl. ring.
Qed.

Lemma whole_nonneg : 0 <= whole_loss m bT bQ hits.
Proof.
  unfold whole_loss, Rdiv. pose proof (pos_INR hits). pose proof (Rinv_0_lt_compat _ T). pose proof (Rinv_0_lt_compat _ Q).
  apply Rplus_le_le_0_compat; repeat apply Rmult_le_pos; lra.
Qed.
Lemma E_ge_1 : 1 <= E. Proof. apply exp_ge_1, whole_nonneg. Qed.

(** With the level raised by the integer part of [m], the answers of the other data set are as likely, but for those above. *)
Lemma weight_ratio u v h z : (forall p, In p h -> Rabs (IZR (fst p v) - IZR (fst p u)) <= m) ->
  weight u h z <= exp (INR (found h) * ((m + m) / bQ)) * weight v h (z + Int_part m).
Proof.
  destruct (base_Int_part m) as [B1 B2].
  assert (k2 : forall j : Z, IZR j <= m -> (j <= Int_part m)%Z) by (intros j J; apply Z.lt_succ_r, lt_IZR; rewrite succ_IZR; lra).
  induction h as [|[q a] h IH]; intros H; [simpl; rewrite Rmult_0_l, exp_0; lra|].
  specialize (IH (fun p J => H p (or_intror J))). specialize (H (q, a) (or_introl eq_refl)). cbn [fst] in H.
  apply Rabs_le_between in H. assert (K : - m <= IZR (q v) - IZR (q u) <= m) by lra.
  pose proof (above_ratio Q m0 m0 B1 k2 z _ _ K) as Up. pose proof (below_ratio Q k2 z _ _ K) as Down.
  pose proof (above_between Q z (q u)). pose proof (above_between Q (z + Int_part m) (q v)).
  pose proof (weight_test u h z) as [W _]. pose proof (weight_test v h (z + Int_part m)%Z) as [W' _].
  unfold found in *. cbn [weight List.filter snd]. destruct a; cbn [length]; set (c := exp (INR (length (List.filter snd h)) * ((m + m) / bQ))) in *;
    assert (0 < c) by apply exp_pos.
  - rewrite S_INR. replace ((INR (length (List.filter snd h)) + 1) * ((m + m) / bQ)) with (INR (length (List.filter snd h)) * ((m + m) / bQ) + (m + m) / bQ) by ring.
    rewrite exp_plus. fold c. set (e := exp ((m + m) / bQ)) in *.
    replace (c * e * (weight v h (z + Int_part m) * above Q (z + Int_part m) (q v))) with
      ((c * weight v h (z + Int_part m)) * (e * above Q (z + Int_part m) (q v))) by ring.
    apply Rmult_le_compat; lra.
  - rewrite <- Rmult_assoc. apply Rmult_le_compat; lra.
Qed.

Lemma chance_ratio u v h : (forall p, In p h -> Rabs (IZR (fst p v) - IZR (fst p u)) <= m) -> (found h <= hits)%nat ->
  chance u h <= E * chance v h.
Proof.
  intros H F. unfold chance. destruct (base_Int_part m) as [B1 B2].
  assert (k0 : (0 <= Int_part m)%Z) by (apply Z.lt_succ_r, lt_IZR; rewrite succ_IZR; lra).
  set (k := Int_part m) in *. set (c := exp (INR (found h) * ((m + m) / bQ))).
  assert (Bv : bounded (weight v h)) by apply test_bounded, weight_test.
  apply Rle_trans with (c * D (fun z => weight v h (z + k)%Z)).
  { rewrite <- expect_scale by (apply test_bounded; intros z; apply weight_test). apply expect_le.
    - apply test_bounded, weight_test.
    - apply bounded_scale, test_bounded. intros z. apply weight_test.
    - intros z. now apply weight_ratio. }
  rewrite <- discrete_laplace_shift by exact Bv.
  assert (S : discrete_laplace T (threshold + k) (weight v h) <= exp (m / bT) * D (weight v h)).
  { eapply Rle_trans; [apply (discrete_laplace_ratio T (threshold + k) threshold); [exact Bv | intros z; apply weight_test]|].
    apply Rmult_le_compat_r; [apply expect_test, weight_test|]. apply exp_le, Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
    replace (threshold - (threshold + k))%Z with (- k)%Z by ring. apply IZR_le in k0. rewrite opp_IZR, Rabs_Ropp, Rabs_pos_eq; lra. }
  assert (C : c * exp (m / bT) <= E).
  { unfold c, E, whole_loss. rewrite <- exp_plus. apply exp_le. rewrite Rplus_comm. apply Rplus_le_compat_l, Rmult_le_compat_r; [|now apply le_INR].
    apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat]. }
  assert (0 < c) by apply exp_pos. pose proof (expect_test D (weight_test v h)) as [N _].
  apply Rle_trans with (c * (exp (m / bT) * D (weight v h))); [apply Rmult_le_compat_l; lra|].
  rewrite <- Rmult_assoc. now apply Rmult_le_compat_r.
Qed.

Definition valid (h : history) (left : nat) : Prop := moved h /\ (found h + left = hits)%nat.

Lemma valid_ratio h left b : valid h left -> chance (data b) h <= E * chance (data (negb b)) h.
Proof.
  intros [M F]. unfold moved in M. rewrite Forall_forall in M. destruct b; cbn [data negb]; apply chance_ratio; try lia; intros p J; specialize (M p J); [exact M|].
  now rewrite Rabs_minus_sym.
Qed.
Lemma valid_cons h left q a : Rabs (IZR (q y) - IZR (q x)) <= m -> left <> O -> valid h left ->
  valid ((q, a) :: h) (if a then pred left else left).
Proof. intros K L [M F]. split; [now constructor|]. unfold found in *. cbn [List.filter snd]. destruct a; cbn [length]; lia. Qed.

Lemma halved_nonneg b h left : valid h left -> 0 <= halved b h.
Proof.
  intros V. apply half_nonneg; [apply E_ge_1 | apply chance_between|]. pose proof (valid_ratio (negb b) V) as R. now rewrite Bool.negb_involutive in R.
Qed.
Lemma halved_cons b h q : halved b ((q, true) :: h) + halved b ((q, false) :: h) = halved b h.
Proof. unfold halved. rewrite half_plus, !chance_cons. reflexivity. Qed.
Lemma halved_nil b : halved b [] = 1.
Proof. unfold halved. rewrite !chance_nil. apply half_one. Qed.
Lemma halved_mixed h left first : valid h left ->
  heads E first * halved true h + (1 - heads E first) * halved false h = chance (data first) h.
Proof.
  intros V. unfold halved. cbn [negb]. rewrite half_mixed; [now destruct first | apply E_ge_1 | apply (valid_ratio true V) | apply (valid_ratio false V)].
Qed.

(** What the half says next, of what it said so far. *)
Lemma split_says b h left q : valid h left -> left <> O -> Rabs (IZR (q y) - IZR (q x)) <= m ->
  halved b h * clamped (halved b ((q, true) :: h) / halved b h) = halved b ((q, true) :: h) /\
  halved b h * (1 - clamped (halved b ((q, true) :: h) / halved b h)) = halved b ((q, false) :: h).
Proof.
  intros V L K. pose proof (halved_nonneg b V) as N. pose proof (halved_nonneg b (valid_cons q true K L V)) as N1.
  pose proof (halved_nonneg b (valid_cons q false K L V)) as N0. pose proof (halved_cons b h q) as S.
  destruct N as [N|N].
  - rewrite clamped_id; [split; [|rewrite <- S]; field_simplify_eq; lra|].
    split; [apply Rmult_le_pos; [exact N1 | left; now apply Rinv_0_lt_compat]|].
    apply Rmult_le_reg_r with (halved b h); [exact N|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - rewrite <- N in *. split; rewrite Rmult_0_l; lra.
Qed.
End One.

(** ** All that is asked *)

(** What is said, by machines: begun with a hidden level, or as a half. *)
Fixpoint run (halves first : bool) (stages : nat) (s : seen) (ms : list machine) : dist seen :=
  match stages, ask s with
  | S n, Some (Asks M) =>
      if allowed s then bind (M (data first)) (fun a => run halves first n (Told a :: s) ms) else run halves first n (Turned_down :: s) ms
  | S n, Some (Begins m N threshold bT bQ T Q hits) =>
      if allowed s then
        if halves then
          bind (coin (heads (exp (whole_loss m bT bQ hits)) first)) (fun b =>
            run halves first n (Begun :: s) (ms ++ [split m threshold T Q hits b [] hits]))
        else bind (discrete_laplace T threshold) (fun z => run halves first n (Begun :: s) (ms ++ [plain m Q z [] hits]))
      else run halves first n (Turned_down :: s) ms
  | S n, Some (Compares i m q) =>
      match nth_error ms i with
      | Some l =>
          if (up_to (at_most l) m && negb (Nat.eqb (left_ l) 0))%bool then
            bind (coin (says l (told l) q (data first))) (fun a => run halves first n (Compared a :: s) (put i (advanced l q a) ms))
          else run halves first n (Turned_down :: s) ms
      | None => run halves first n (Turned_down :: s) ms
      end
  | _, _ => ret s
  end.

Hypothesis queried : forall s i m q, ask s = Some (Compares i m q) -> Rabs (IZR (q y) - IZR (q x)) <= m.

Section Replaced.
Variables (m : R) (m0 : 0 <= m) (threshold : Z) (bT bQ : R) (T : 0 < bT) (Q : 0 < bQ) (hits : nat).
Notation D := (discrete_laplace T threshold).
Notation E := (exp (whole_loss m bT bQ hits)).
Notation half_of := (halved m threshold T Q hits).

(** What is drawn in between may be drawn before the level. *)
Lemma through C (P : dist C) (next : C -> machine -> R) (w : Z -> R) (hidden : Z -> machine) l1 l0 c1 c0 b : test w ->
  (forall c l, Rabs (next c l) <= b) -> (forall c, D (fun z => w z * next c (hidden z)) = c1 * next c l1 + c0 * next c l0) ->
  D (fun z => w z * P (fun c => next c (hidden z))) = c1 * P (fun c => next c l1) + c0 * P (fun c => next c l0).
Proof.
  intros W H K. assert (B : forall l, bounded (fun c => next c l)) by (intros l; now exists b).
  assert (J : forall z c, Rabs (w z * next c (hidden z)) <= b).
  { intros z c. specialize (H c (hidden z)). specialize (W z). rewrite Rabs_mult, (Rabs_pos_eq (w z)) by lra.
    pose proof (Rabs_pos (next c (hidden z))). nra. }
  transitivity (D (fun z => P (fun c => w z * next c (hidden z)))).
  { symmetry. apply expect_ext; [exists b; intros z; now apply expect_bound | intros z; now rewrite expect_scale]. }
  unfold discrete_laplace. rewrite <- (swap P (laplace_weight_pos bT threshold) (summable_laplace T threshold)) by (now exists b).
  rewrite <- !expect_scale, <- expect_plus by auto with bounded. apply expect_ext; [exists b; intros c; now apply expect_bound | exact K].
Qed.

Lemma bounded_weighted (w g : Z -> R) : test w -> bounded g -> bounded (fun z => w z * g z).
Proof.
  intros W [b H]. exists b. intros z. specialize (W z). specialize (H z). rewrite Rabs_mult, (Rabs_pos_eq (w z)) by lra.
  pose proof (Rabs_pos (g z)). nra.
Qed.

(** In place of a hidden level and of what it said, the halves. *)
Lemma replaced halves first n : forall s ms k h left f, (k < length ms)%nat -> valid m hits h left -> bounded f ->
  D (fun z => weight Q (data first) h z * run halves first n s (put k (plain m Q z h left) ms) f) =
  heads E first * half_of true h * run halves first n s (put k (split m threshold T Q hits true h left) ms) f +
  (1 - heads E first) * half_of false h * run halves first n s (put k (split m threshold T Q hits false h left) ms) f.
Proof.
  assert (stop : forall h left (v : R), valid m hits h left ->
    D (fun z => weight Q (data first) h z * v) = heads E first * half_of true h * v + (1 - heads E first) * half_of false h * v).
  { intros h left v V. rewrite <- Rmult_plus_distr_r, (halved_mixed m0 threshold T Q first V). unfold chance.
    rewrite (Rmult_comm _ v), <- expect_scale by (apply test_bounded, weight_test). apply expect_ext.
    - destruct (bounded_scale v (test_bounded (weight_test Q (data first) h))) as [b Hb]. exists b. intros z. rewrite Rmult_comm. apply Hb.
    - intros z. ring. }
  induction n as [|n IH]; intros s ms k h left f K V B; cbn [run]; [exact (stop _ _ _ V)|]. pose proof B as [b Hb].
  assert (W : forall h' (g : Z -> dist seen), bounded (fun z => weight Q (data first) h' z * g z f)).
  { intros h' g. apply bounded_weighted; [apply weight_test | exists b; intros z; now apply expect_bound]. }
  assert (appended : forall s new, D (fun z => weight Q (data first) h z * run halves first n s (put k (plain m Q z h left) ms ++ [new]) f) =
    heads E first * half_of true h * run halves first n s (put k (split m threshold T Q hits true h left) ms ++ [new]) f +
    (1 - heads E first) * half_of false h * run halves first n s (put k (split m threshold T Q hits false h left) ms ++ [new]) f).
  { intros s' new. rewrite !put_app by exact K. etransitivity; [|apply IH; [rewrite app_length; simpl; lia | exact V | exact B]].
    apply expect_ext; [apply W | intros z; now rewrite put_app]. }
  destruct (ask s) as [[M|m' N t bT' bQ' T' Q' hits'|i m' q]|] eqn:A1; [| | |exact (stop _ _ _ V)].
  - destruct (allowed s); [|now apply IH].
    apply (@through _ (M (data first)) (fun a l => run halves first n (Told a :: s) (put k l ms) f)) with (b := b);
      [apply weight_test | intros c l; now apply expect_bound | intros c; now apply IH].
  - destruct (allowed s); [|now apply IH]. destruct halves.
    + apply (@through _ (coin (heads (exp (whole_loss m' bT' bQ' hits')) first))
        (fun c l => run true first n (Begun :: s) (put k l ms ++ [split m' t T' Q' hits' c [] hits']) f)) with (b := b);
        [apply weight_test | intros c l; now apply expect_bound | intros c; apply appended].
    + apply (@through _ (discrete_laplace T' t)
        (fun c l => run false first n (Begun :: s) (put k l ms ++ [plain m' Q' c [] hits']) f)) with (b := b);
        [apply weight_test | intros c l; now apply expect_bound | intros c; apply appended].
  - destruct (Nat.eq_dec i k) as [->|Ni].
    + assert (P : forall l, nth_error (put k l ms) k = Some l) by (intros l; now apply put_here). rewrite !P. cbn [at_most left_ split].
      destruct (up_to m m' && negb (Nat.eqb left 0))%bool eqn:F.
      2:{ etransitivity; [|apply IH; eassumption]. apply expect_ext; [apply W | intros z; rewrite P; cbn [at_most left_ plain]; now rewrite F]. }
      pose proof F as F'. apply andb_prop in F'. destruct F' as [Fm Fl]. apply up_to_ok in Fm. apply Bool.negb_true_iff, PeanoNat.Nat.eqb_neq in Fl.
      assert (Mv : Rabs (IZR (q y) - IZR (q x)) <= m) by (pose proof (queried A1); lra).
      set (next := fun a : bool => if a then pred left else left).
      transitivity (D (fun z => weight Q (data first) ((q, true) :: h) z * run halves first n (Compared true :: s) (put k (plain m Q z ((q, true) :: h) (next true)) ms) f) +
                    D (fun z => weight Q (data first) ((q, false) :: h) z * run halves first n (Compared false :: s) (put k (plain m Q z ((q, false) :: h) (next false)) ms) f)).
      * rewrite <- expect_plus by apply W. apply expect_ext; [apply W|]. intros z. rewrite P. cbn [at_most left_ plain]. rewrite F.
        unfold coin, mix, bind, ret, advanced; cbn [expect says told at_most left_ plain weight]. rewrite !put_again, clamped_id by apply above_between.
        rewrite Rmult_plus_distr_l, <- !Rmult_assoc. reflexivity.
      * rewrite (IH _ _ _ _ (next true) f K (valid_cons q true Mv Fl V) B), (IH _ _ _ _ (next false) f K (valid_cons q false Mv Fl V) B).
        destruct (split_says m0 threshold T Q true q V Fl Mv) as [S1 S0]. destruct (split_says m0 threshold T Q false q V Fl Mv) as [S1' S0'].
        unfold coin, mix, bind, ret, advanced; cbn [expect says told at_most left_ split]. rewrite !put_again.
        set (p := clamped (half_of true ((q, true) :: h) / half_of true h)) in *. set (p' := clamped (half_of false ((q, true) :: h) / half_of false h)) in *.
        rewrite <- S1, <- S0, <- S1', <- S0'. unfold next, split. cbv beta iota. ring.
    + assert (P : forall l, nth_error (put k l ms) i = nth_error ms i) by (intros l; apply put_there; congruence). rewrite !P.
      destruct (nth_error ms i) as [l|].
      2:{ etransitivity; [|apply IH; eassumption]. apply expect_ext; [apply W | intros z; now rewrite P]. }
      destruct (up_to (at_most l) m' && negb (Nat.eqb (left_ l) 0))%bool eqn:F.
      2:{ etransitivity; [|apply IH; eassumption]. apply expect_ext; [apply W | intros z; rewrite P; now rewrite F]. }
      etransitivity; [apply expect_ext; [apply W | intros z; rewrite P, F; reflexivity]|].
      apply (@through _ (coin (says l (told l) q (data first))) (fun a l' => run halves first n (Compared a :: s) (put i (advanced l q a) (put k l' ms)) f))
        with (b := b); [apply weight_test | intros c l'; now apply expect_bound|].
      intros c. rewrite !(put_two _ _ _ Ni). etransitivity; [|apply IH; [now rewrite put_length | exact V | exact B]].
      apply expect_ext; [apply W | intros z; now rewrite put_two].
Qed.
End Replaced.

(** One after another, each when it is begun. *)
Lemma all_replaced first n : forall s ms, same (run false first n s ms) (run true first n s ms).
Proof.
  induction n as [|n IH]; intros s ms; cbn [run]; [apply same_refl|].
  destruct (ask s) as [[M|m N t bT bQ T Q hits|i m q]|]; [| | |apply same_refl].
  - destruct (allowed s); [|apply IH]. apply same_bind; [apply same_refl | intros a; apply IH].
  - destruct (allowed s); [|apply IH]. intros f B. set (l0 := plain m Q 0 [] hits).
    assert (K : (length ms < length (ms ++ [l0]))%nat) by (rewrite app_length; simpl; lia).
    assert (V : valid m hits [] hits) by (split; [constructor | reflexivity]).
    pose proof (replaced N t T Q false first n (Begun :: s) (ms ++ [l0]) K V B) as R. rewrite !put_last, !halved_nil in R.
    unfold coin, mix, bind, ret; cbn [expect]. rewrite clamped_id by (apply heads_between, (E_ge_1 N T Q)).
    rewrite <- !(IH _ _ f B). rewrite !Rmult_1_r in R. rewrite <- R. pose proof B as [b Hb]. apply expect_ext.
    + exists b. intros z. now apply expect_bound.
    + intros z. rewrite put_last. simpl. ring.
  - destruct (nth_error ms i) as [l|]; [|apply IH]. destruct (up_to (at_most l) m && _)%bool; [|apply IH].
    apply same_bind; [apply same_refl | intros a; apply IH].
Qed.

(** An above-threshold with its level is such a machine. *)
Definition imitates (l : live) (k : machine) : Prop :=
  (forall h q d, says k h q d = above (scale_pos l) (level l) (q d)) /\ left_ k = hits_left l /\ at_most k = by_ l.

Lemma compare_is a l (P Q : dist seen) f : bounded f ->
  bind (discrete_laplace (scale_pos l) a) (fun z => if Z.leb (level l) z then P else Q) f =
  above (scale_pos l) (level l) a * P f + (1 - above (scale_pos l) (level l) a) * Q f.
Proof.
  intros B. set (D := discrete_laplace (scale_pos l) a). set (i := fun z => if Z.leb (level l) z then 1 else 0).
  assert (Ti : test i) by apply test_above. transitivity (D (fun z => Q f + (P f - Q f) * i z)).
  - change (D (fun z => (if Z.leb (level l) z then P else Q) f) = D (fun z => Q f + (P f - Q f) * i z)).
    symmetry. apply expect_ext; [auto with bounded|]. intros z. unfold i. destruct (Z.leb (level l) z); ring.
  - rewrite expect_plus, expect_scale, expect_const by auto with bounded. change (D i) with (above (scale_pos l) (level l) a). ring.
Qed.

Lemma nth_imitates ls ks i : Forall2 imitates ls ks ->
  match nth_error ls i, nth_error ks i with Some l, Some k => imitates l k | None, None => True | _, _ => False end.
Proof. intros H. revert i; induction H as [|l k ls ks Hl H IH]; intros [|i]; simpl; auto. apply IH. Qed.
Lemma put_imitates ls ks i l k : Forall2 imitates ls ks -> imitates l k -> Forall2 imitates (put i l ls) (put i k ks).
Proof. intros H K. revert i; induction H as [|l' k' ls ks Hl H IH]; intros [|i]; simpl; constructor; auto. Qed.
Lemma put_known i (k : machine) l ls ks : Forall2 imitates ls ks -> nth_error ls i = Some l -> imitates l k -> Forall2 imitates ls (put i k ks).
Proof.
  intros H. revert i; induction H as [|l' k' ls ks Hl H IH]; intros [|i] E K; simpl in *; try discriminate; constructor; eauto. injection E as ->. exact K.
Qed.

Lemma talk_run first n : forall s ls ks, Forall2 imitates ls ks -> same (talk ask allowed n s ls (data first)) (run false first n s ks).
Proof.
  induction n as [|n IH]; intros s ls ks F; cbn [run talk]; [apply same_refl|].
  destruct (ask s) as [[M|m N t bT bQ T Q hits|i m q]|]; [| | |apply same_refl].
  - destruct (allowed s); [|now apply IH]. apply same_bind; [apply same_refl | intros a; now apply IH].
  - destruct (allowed s); [|now apply IH]. apply same_bind; [apply same_refl|]. intros z. apply IH, Forall2_app; [exact F|].
    constructor; [|constructor]. now repeat split.
  - pose proof (nth_imitates i F) as H. destruct (nth_error ls i) as [l|] eqn:El, (nth_error ks i) as [k|]; try contradiction; [|now apply IH].
    destruct H as (S & L & W). rewrite L, W. destruct (up_to (by_ l) m && _)%bool; [|now apply IH]. intros f B.
    rewrite compare_is by exact B. unfold coin, mix, bind, ret; cbn [expect]. rewrite S, clamped_id by apply above_between.
    f_equal; f_equal; apply IH; try exact B.
    + apply put_imitates; [exact F|]. now repeat split; cbn [advanced says left_ at_most one_hit_less scale_pos level hits_left by_]; rewrite ?L.
    + apply (put_known i) with (1 := F) (2 := El). now repeat split; cbn [advanced says left_ at_most].
Qed.

(** ** What is lost *)
Variables (L : Type) (O : losses L) (ms : measure L).
Variable cost : seen -> L. (* of what is asked next, between these two *)

(** What a randomized response loses whose halves are within e of each other. *)
Definition response_costs (e : R) (l : L) : Prop := forall P Q : dist bool, ind P Q e 0 -> ind Q P e 0 -> ms P Q l.

Lemma run_close (V : divergence ms) (C : composes ms) (H : remains O) budget n :
  (forall s M, ask s = Some (Asks M) -> allowed s = true -> ms (M x) (M y) (cost s)) ->
  (forall s m N t bT bQ T Q hits, ask s = Some (@Begins _ _ m N t bT bQ T Q hits) -> allowed s = true -> response_costs (whole_loss m bT bQ hits) (cost s)) ->
  (forall s, allowed s = true -> le (plus (total cost s) (cost s)) budget) ->
  forall s ks r, Forall (fun k => forall h q, says k h q x = says k h q y) ks -> budget = plus (total cost s) r -> le zero r ->
  ms (run true true n s ks) (run true false n s ks) r.
Proof.
  intros honest begun within. induction n as [|n IH]; intros s ks r F E N.
  - apply div_le with zero; [exact N | apply div_same, same_refl].
  - cbn [run]. destruct (ask s) as [[M|m m0 t bT bQ T Q hits|i m q]|] eqn:A1; [| | |apply div_le with zero; [exact N | apply div_same, same_refl]].
    + destruct (allowed s) eqn:A2; [|now apply IH].
      destruct (left_over _ _ (within s A2)) as (r' & E' & N').
      assert (r = plus (cost s) r') as -> by (apply (plus_cancel (total cost s)); now rewrite <- E, E', plus_assoc).
      apply div_bind; [now apply (honest s) | intros a; now apply IH].
    + destruct (allowed s) eqn:A2; [|now apply IH].
      destruct (left_over _ _ (within s A2)) as (r' & E' & N').
      assert (r = plus (cost s) r') as -> by (apply (plus_cancel (total cost s)); now rewrite <- E, E', plus_assoc).
      pose proof (E_ge_1 m0 T Q hits) as E1.
      apply div_bind.
      * apply (begun s _ _ _ _ _ _ _ _ A1 A2); [exact (@heads_close _ E1 _ true eq_refl) | exact (@heads_close _ E1 _ false eq_refl)].
      * intros b. apply IH; [|exact E' | exact N']. apply Forall_app. split; [exact F | constructor; [|constructor]]. reflexivity.
    + destruct (nth_error ks i) as [k|] eqn:K; [|now apply IH]. destruct (up_to (at_most k) m && _)%bool; [|now apply IH].
      assert (S : forall h q, says k h q x = says k h q y) by (rewrite Forall_forall in F; apply F, (nth_error_In _ _ K)).
      cbn [data]. rewrite S. apply div_inner. intros a. apply IH; [|exact E | exact N]. apply put_all; [exact F|]. exact S.
Qed.

Theorem talk_between (V : divergence ms) (C : composes ms) (H : remains O) budget n : le zero budget ->
  (forall s M, ask s = Some (Asks M) -> allowed s = true -> ms (M x) (M y) (cost s)) ->
  (forall s m N t bT bQ T Q hits, ask s = Some (@Begins _ _ m N t bT bQ T Q hits) -> allowed s = true -> response_costs (whole_loss m bT bQ hits) (cost s)) ->
  (forall s, allowed s = true -> le (plus (total cost s) (cost s)) budget) ->
  ms (talk ask allowed n [] [] x) (talk ask allowed n [] [] y) budget.
Proof.
  intros N honest begun within. apply div_resp with (run true true n [] []) (run true false n [] []).
  - intros f B. rewrite <- (all_replaced true n [] [] B). symmetry. now apply (talk_run true n [] (Forall2_nil _)).
  - intros f B. rewrite <- (all_replaced false n [] [] B). symmetry. now apply (talk_run false n [] (Forall2_nil _)).
  - apply (run_close V C H) with (budget := budget); auto. cbn [total]. now rewrite plus_zero.
Qed.
End Hidden.
