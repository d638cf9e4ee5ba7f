(** * Advanced and optimal composition of (eps, delta) losses

    Each pair of releases is, but for delta, its pure core ([approx_core]); the cores compose as pure losses do. *)
From Coq Require Import Reals Lra Psatz Lia List.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Norms Combinators Powers Renyi
  AdvancedComposition OptimalComposition ApproxCore.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** ** Advanced composition *)
Section Advanced.
Variables (X A : Type) (m : metric X) (Ms : list (X -> dist A)) (losses : list (R -> R * R)).
Hypothesis each : Forall2 (private m approx) Ms losses.
Hypothesis nonnegative : forall l d, In l losses -> 0 <= d -> 0 <= fst (l d) /\ 0 <= snd (l d).

Definition total_delta (d : R) : R := sum (fun l : R -> R * R => snd (l d)) losses.
Definition epsilons : list (R -> R) := map (fun (l : R -> R * R) d => fst (l d)) losses.

(** The cores of all releases together. *)
Lemma cores d x y : m d x y -> (forall l, In l losses -> snd (l d) < 1) ->
  exists P' Q' n, 0 <= n <= 1 /\ 1 - n <= total_delta d /\
  mostly n (all Ms x) P' /\ mostly n (all Ms y) Q' /\
  forall alpha, 1 < alpha -> divergence_at_most alpha P' Q' (drifts epsilons d + (alpha - 1) * (squares epsilons d / 2)).
Proof.
  intros D L. pose proof (within_nonneg m _ _ _ D) as d_pos. unfold total_delta, epsilons, drifts, squares. induction each as [|M l Ms' ls H F IH]; simpl.
  - exists (ret []), (ret []), 1. repeat split; try lra; try (apply mostly_same; [lra | apply same_refl]).
    intros alpha Ha. replace (0 + _) with 0 by field. now apply at_most_same.
  - destruct IH as (P' & Q' & n & N & E & HP & HQ & HD); [exact F | intros k e I; apply nonnegative; now right | intros;
      apply L; now right |].
    destruct (@nonnegative l d (or_introl eq_refl) d_pos) as [e0 d0]. specialize (L l (or_introl eq_refl)).
    destruct (@approx_core A (fst (l d)) (snd (l d)) e0 (conj d0 L) (M x) (M y)) as (P & Q & I1 & I2 & J1 & J2);
      [now apply H | apply H, within_sym, D |].
    exists (bind P (fun a => bind P' (fun k => ret (a :: k)))), (bind Q (fun a => bind Q' (fun k => ret (a :: k)))),
      ((1 - snd (l d)) * (n * 1)).
    repeat split.
    + apply Rmult_le_pos; lra.
    + assert ((1 - snd (l d)) * (n * 1) <= 1 * 1) by (apply Rmult_le_compat; lra). lra.
    + nra.
    + apply mostly_bind; [lra | lra | exact J1 |]. intros a. apply mostly_bind; [lra | lra | exact HP |]. intros k.
      apply mostly_same; [lra | apply same_refl].
    + apply mostly_bind; [lra | lra | exact J2 |]. intros a. apply mostly_bind; [lra | lra | exact HQ |]. intros k.
      apply mostly_same; [lra | apply same_refl].
    + intros alpha Ha. specialize (HD alpha Ha). rewrite !Norms.sum_map in *.
      replace (drift (fst (l d)) + _ + _) with ((drift (fst (l d)) + (alpha - 1) * (fst (l d) * fst (l d) / 2)) +
        (sum (fun l => drift (fst (l d))) ls + (alpha - 1) * (sum (fun l => fst (l d) * fst (l d)) ls / 2))) by field.
      apply at_most_bind; [exact Ha | now apply pure_at_most |]. intros a.
      rewrite <- (Rplus_0_r (sum _ ls + _)). apply at_most_bind; [exact Ha | exact HD | intros; now apply at_most_same].
Qed.

Theorem advanced_composition_approx slack : 0 < slack < 1 ->
  private m approx (all Ms) (fun d => (sqrt (2 * ln (1 / slack) * squares epsilons d) + drifts epsilons d,
    slack + total_delta d)).
Proof.
  intros Hs d x y D f F. pose proof (within_nonneg m _ _ _ D) as d_pos. simpl. set (E := sqrt _ + _). pose proof (expect_test (all Ms x) F).
  pose proof (expect_test (all Ms y) F).
  pose proof (exp_pos E) as E0.
  assert (cases : (forall l, In l losses -> snd (l d) < 1) \/ 1 <= total_delta d).
  { unfold total_delta. clear each. induction losses as [|l ls IH]; [left; intros l []|].
    destruct (@nonnegative l d (or_introl eq_refl) d_pos) as [_ d0].
    assert (0 <= sum (fun l => snd (l d)) ls) by (apply sum_nonneg; intros k I; apply nonnegative; [now right | exact d_pos]).
    destruct IH as [IH|IH]; [intros k e I; apply nonnegative; now right | | right; simpl; lra].
    destruct (Rlt_dec (snd (l d)) 1) as [C|C]; [left; intros k [<-|I]; auto | right; simpl; lra]. }
  destruct cases as [L|L]; [|nra].
  destruct (@cores d x y D L) as (P' & Q' & n & N & T & HP & HQ & HD).
  assert (V0 : 0 <= squares epsilons d) by (apply sum_nonneg; intros; nra).
  pose proof (ind_of_divergences Hs V0 HD F) as I. fold E in I.
  pose proof (mostly_test HP F) as U. specialize (HQ f (test_bounded F) (test_nonneg F)).
  assert (n * P' f <= n * (exp E * Q' f + slack)) by (apply Rmult_le_compat_l; lra).
  assert (exp E * (n * Q' f) <= exp E * all Ms y f) by (apply Rmult_le_compat_l; lra).
  assert (n * slack <= 1 * slack) by (apply Rmult_le_compat_r; lra). lra.
Qed.
End Advanced.

(** ** Optimal composition: [1 - (1 - delta)^k (1 - curve k x)] *)
Section Optimal.
Variables (eps delta : R).
Hypothesis eps_nonneg : 0 <= eps.
Hypothesis delta_between : 0 <= delta < 1.

Lemma approx_bind A B (P Q : dist A) (K L : A -> dist B) (T : R -> R) : ind P Q eps delta -> ind Q P eps delta ->
  (forall a x, ind (K a) (L a) x (T x)) ->
  forall x, ind (bind P K) (bind Q L) x (delta + (1 - delta) * (heads eps * T (x - eps) + tails eps * T (x + eps))).
Proof.
  intros H H' HK x f F. destruct (approx_core eps_nonneg delta_between H H') as (P' & Q' & I1 & I2 & J1 & J2).
  pose proof (@coins_bind eps eps_nonneg A B P' Q' K L T I1 I2 HK x f F) as C. simpl in *.
  assert (Tg : test (fun a => K a f)) by (intros a; now apply expect_test).
  assert (Th : test (fun a => L a f)) by (intros a; now apply expect_test).
  pose proof (mostly_test J1 Tg) as U. specialize (J2 _ (test_bounded Th) (test_nonneg Th)).
  set (D := heads eps * T (x - eps) + tails eps * T (x + eps)) in *.
  assert ((1 - delta) * P' (fun a => K a f) <= (1 - delta) * (exp x * Q' (fun a => L a f) + D)) by (apply
    Rmult_le_compat_l; lra).
  assert (exp x * ((1 - delta) * Q' (fun a => L a f)) <= exp x * Q (fun a => L a f)) by (apply Rmult_le_compat_l;
    [left; apply exp_pos | lra]).
  lra.
Qed.

Definition approx_curve (k : nat) (x : R) : R := 1 - (1 - delta) ^ k * (1 - curve eps k x).

Lemma approx_curve_step k x :
  delta + (1 - delta) * (heads eps * approx_curve k (x - eps) + tails eps * approx_curve k (x + eps)) = approx_curve (S k) x.
Proof. unfold approx_curve. simpl. unfold tails. ring. Qed.
End Optimal.

(** Of unequal losses the largest epsilon and the largest delta are taken for all; a delta above 1 counts as 1. *)
Theorem optimal_composition_approx X A (m : metric X) (Ms : list (X -> dist A)) (losses : list (R -> R * R)) :
  Forall2 (private m approx) Ms losses ->
  private m profile (all Ms) (fun d x =>
    let k := length Ms in
    let eps := top (map (fun l => fst (l d)) losses) in
    let delta := Rmin (top (map (fun l => snd (l d)) losses)) 1 in
    1 - (1 - delta) ^ k * (1 - sum_f_R0 (term eps k x) k)).
Proof.
  intros H d x y D z Hz. cbv zeta. set (eps := top (map (fun l => fst (l d)) losses)).
  set (top_delta := top (map (fun l => snd (l d)) losses)).
  assert (E0 : 0 <= eps) by apply top_nonneg. assert (T0 : 0 <= top_delta) by apply top_nonneg. rewrite <- curve_closed.
  assert (F : Forall (fun M => ind (M x) (M y) eps top_delta /\ ind (M y) (M x) eps top_delta) Ms).
  { assert (B : forall l, In l losses -> fst (l d) <= eps /\ snd (l d) <= top_delta).
    { intros l I; split; apply top_ge; [apply (in_map (fun l => fst (l d))) | apply (in_map (fun l => snd (l d)))];
        exact I. }
    clear E0 T0. clearbody eps top_delta. induction H as [|M l Ms ls H _ IH]; constructor; [|apply IH; intros; apply B;
      now right].
    destruct (B l (or_introl eq_refl)) as [B1 B2]. split.
    - apply ind_weaken with (3 := H d x y D); assumption.
    - apply ind_weaken with (3 := H d y x (within_sym m _ _ _ D)); assumption. }
  clearbody eps top_delta. clear H.
  assert (Empty : forall delta, ind (ret (@nil A)) (ret []) z (1 - (1 - delta) ^ 0 * (1 - curve eps 0 z))).
  { intros delta f F0. simpl. destruct (F0 []). pose proof (Rmax_r 0 (1 - exp z)). pose proof (Rmax_l 0 (1 - exp z)). nra. }
  assert (All : ind (all Ms x) (all Ms y) z (1 - (1 - 1) ^ length Ms * (1 - curve eps (length Ms) z))).
  { destruct Ms as [|M Ms]; [apply Empty|]. intros f F0. pose proof (expect_test (all (M :: Ms) x) F0).
    pose proof (expect_test (all (M :: Ms) y) F0). pose proof (exp_pos z). simpl length.
    replace ((1 - 1) ^ S (length Ms)) with 0 by (simpl; ring). nra. }
  unfold Rmin. destruct (Rle_dec top_delta 1) as [L|L]; [destruct L as [L|L]|].
  - (* below 1 *)
    fold (approx_curve eps top_delta (length Ms) z). clear Hz Empty All. revert z.
    induction F as [|M Ms [K K'] _ IH]; intros z.
    + intros f F. unfold approx_curve. simpl. destruct (F []). pose proof (Rmax_r 0 (1 - exp z)).
      pose proof (Rmax_l 0 (1 - exp z)). nra.
    + simpl all. change (length (M :: Ms)) with (S (length Ms)). rewrite <- approx_curve_step.
      apply (@approx_bind eps top_delta E0 (conj T0 L) _ _ (M x) (M y)
        (fun a => bind (all Ms x) (fun l => ret (a :: l))) (fun a => bind (all Ms y) (fun l => ret (a :: l)))
          (approx_curve eps top_delta (length Ms))); auto.
      intros a w. exact (div_post (ms := approx) (all Ms x) (all Ms y) (fun l => ret (a :: l)) (w,
        approx_curve eps top_delta (length Ms) w) (IH w)).
  - rewrite L. exact All.
  - exact All.
Qed.
