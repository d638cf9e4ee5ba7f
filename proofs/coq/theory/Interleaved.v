(** * A filter of which above-threshold is asked, query by query, between other questions

    An analyst asks measurements, begins any number of above-thresholds, and compares with any of those that are not over, in
    any order, each query chosen after all that was seen. An above-threshold is charged whole when it is begun; comparisons
    cost nothing more. All answers together lose at most the budget.

    This is not composition of measurements: what a comparison tells depends on a threshold that is hidden. The argument is
    that of the list ([AboveThreshold.v]) with the answers of others between: fix two data sets, of which each query of one
    above-threshold moves by at most [by_]. Every hidden threshold of the one is compared with one higher by the integer part of
    [by_] of the other: that costs [by_/b_T] when it is drawn; what was below stays below, at no cost; what was above costs
    [2 by_/b_Q]. What is charged and not yet lost is kept as [owed].

    Losses are pairs (epsilon, delta). A delta is paid by a measurement alone, when it is asked; it is the same for every hidden
    threshold and every answer of a comparison, so it only adds up. With no delta this is pure differential privacy. That the losses
    of interactive mechanisms add up in the other measures is known (Vadhan and Wang 2021; Lyu 2022; Haney et al. 2023) and not
    proved here: in ZCDP an above-threshold would cost [e^2/2] by being a post-processing of one randomized response, which needs the
    law of its answers with the threshold drawn out of sight, divided in two. *)
From Coq Require Import Reals Lra Psatz Lia List ZArith.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Combinators Integers Laplace AboveThreshold Filters.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** An above-threshold that was begun: its hidden level, how many answers may still be above, and by how much its queries move. *)
Record live := { level : Z; scale : R; scale_pos : 0 < scale; hits_left : nat; by_ : R; by_nonneg : 0 <= by_ }.
Definition one_hit_less (l : live) : live :=
  {| level := level l; scale := scale l; scale_pos := scale_pos l; hits_left := pred (hits_left l); by_ := by_ l; by_nonneg := by_nonneg l |}.
Definition raised (l : live) : live :=
  {| level := level l + Int_part (by_ l); scale := scale l; scale_pos := scale_pos l; hits_left := hits_left l; by_ := by_ l; by_nonneg := by_nonneg l |}.
Definition owed_of (l : live) : R := INR (hits_left l) * ((by_ l + by_ l) / scale l).
Definition owed (ls : list live) : R := fold_right (fun l s => owed_of l + s) 0 ls.
Fixpoint put {A} (i : nat) (a : A) (l : list A) : list A :=
  match l, i with [], _ => [] | _ :: l, O => a :: l | b :: l, S i => b :: put i a l end.

Lemma put_map A B (g : A -> B) i a l : map g (put i a l) = put i (g a) (map g l).
Proof. revert i; induction l as [|b l IH]; intros [|i]; simpl; congruence. Qed.
Lemma owed_app ls l : owed (ls ++ [l]) = owed ls + owed_of l.
Proof. induction ls as [|k ls IH]; simpl; [ring | rewrite IH; ring]. Qed.
Lemma owed_of_nonneg l : 0 <= owed_of l.
Proof.
  apply Rmult_le_pos; [apply pos_INR|]. pose proof (by_nonneg l). pose proof (scale_pos l).
  apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat].
Qed.
Lemma owed_nonneg ls : 0 <= owed ls.
Proof. induction ls as [|l ls IH]; simpl; [lra | pose proof (owed_of_nonneg l); lra]. Qed.
Lemma owed_put ls i l h : nth_error ls i = Some l -> hits_left l = S h ->
  owed (put i (one_hit_less l) ls) = owed ls - (by_ l + by_ l) / scale l.
Proof.
  revert i; induction ls as [|k ls IH]; intros [|i]; simpl; intros E H; try discriminate.
  - injection E as ->. unfold owed_of, one_hit_less; cbn [hits_left by_ scale]. rewrite H. cbn [pred]. rewrite S_INR. ring.
  - rewrite (IH i E H). ring.
Qed.

(** What is done next. *)
Inductive question (X A : Type) :=
| Asks (loss delta : R) (M : X -> dist A)
| Begins (moves : R) (nonneg : 0 <= moves) (threshold : Z) (bT bQ : R) (T : 0 < bT) (Q : 0 < bQ) (hits : nat)
| Compares (which : nat) (moves : R) (query : X -> Z).
Inductive event (A : Type) := Told (a : A) | Begun | Compared (above : bool) | Turned_down.
Arguments Begins {X A}. Arguments Compares {X A}. Arguments Begun {A}. Arguments Compared {A}. Arguments Turned_down {A}.

Definition whole_loss (moves bT bQ : R) (hits : nat) : R := moves / bT + INR hits * ((moves + moves) / bQ).

Section Talk.
Variables (X A : Type).
Notation seen := (list (event A)).
Variable ask : seen -> option (question X A).
Variables budget more : R. (* an epsilon, and a delta *)

Fixpoint talk (stages : nat) (spent gone : R) (s : seen) (ls : list live) (x : X) : dist seen :=
  match stages, ask s with
  | S n, Some (Asks l dl M) =>
      if (up_to budget (spent + l) && up_to more (gone + dl))%bool then bind (M x) (fun a => talk n (spent + l) (gone + dl) (Told a :: s) ls x)
      else talk n spent gone (Turned_down :: s) ls x
  | S n, Some (Begins m N threshold bT bQ T Q hits) =>
      let l := whole_loss m bT bQ hits in
      if up_to budget (spent + l) then
        bind (discrete_laplace T threshold) (fun z => talk n (spent + l) gone (Begun :: s)
          (ls ++ [{| level := z; scale := bQ; scale_pos := Q; hits_left := hits; by_ := m; by_nonneg := N |}]) x)
      else talk n spent gone (Turned_down :: s) ls x
  | S n, Some (Compares i m q) =>
      match nth_error ls i with
      | Some l =>
          if (up_to (by_ l) m && negb (Nat.eqb (hits_left l) 0))%bool then
            bind (discrete_laplace (scale_pos l) (q x)) (fun z =>
              if Z.leb (level l) z then talk n spent gone (Compared true :: s) (put i (one_hit_less l) ls) x
              else talk n spent gone (Compared false :: s) ls x)
          else talk n spent gone (Turned_down :: s) ls x
      | None => talk n spent gone (Turned_down :: s) ls x
      end
  | _, _ => ret s
  end.

(** A comparison, by its probability. *)
Lemma compare_is l a (P Q : dist seen) f : bounded f ->
  bind (discrete_laplace (scale_pos l) a) (fun z => if Z.leb (level l) z then P else Q) f =
  above (scale_pos l) (level l) a * P f + (1 - above (scale_pos l) (level l) a) * Q f.
Proof.
  intros B. set (D := discrete_laplace (scale_pos l) a). set (i := fun z => if Z.leb (level l) z then 1 else 0).
  assert (Ti : test i) by apply test_above. transitivity (D (fun z => Q f + (P f - Q f) * i z)).
  - change (D (fun z => (if Z.leb (level l) z then P else Q) f) = D (fun z => Q f + (P f - Q f) * i z)).
    symmetry. apply expect_ext; [auto with bounded|]. intros z. unfold i. destruct (Z.leb (level l) z); ring.
  - rewrite expect_plus, expect_scale, expect_const by auto with bounded. change (D i) with (above (scale_pos l) (level l) a). ring.
Qed.

Section Two.
Variables x y : X.
Hypothesis asked : forall s l dl M, ask s = Some (Asks l dl M) -> ind (M x) (M y) l dl.
Hypothesis queried : forall s i m q, ask s = Some (Compares i m q) -> Rabs (IZR (q y) - IZR (q x)) <= m.

Lemma largest_step b : 0 <= b -> (0 <= Int_part b)%Z /\ IZR (Int_part b) <= b /\ forall j : Z, IZR j <= b -> (j <= Int_part b)%Z.
Proof.
  intros H. destruct (base_Int_part b) as [B1 B2]. repeat split; [|exact B1|].
  - apply Z.lt_succ_r, lt_IZR. rewrite succ_IZR. lra.
  - intros j Hj. apply Z.lt_succ_r, lt_IZR. rewrite succ_IZR. lra.
Qed.

(** A delta that is still to come, beside what is at most 1 anyway. *)
Lemma ask_ratio B (P Q : dist B) (u g : B -> R) l dl c D : ind P Q l dl -> test u -> test g -> 0 <= c -> 0 <= D ->
  (forall a, u a <= c * g a + D) -> P u <= c * exp l * Q g + (dl + D).
Proof.
  intros K U G C N H. set (h := fun a => Rmin 1 (c * g a)).
  assert (Th : test h).
  { intros a. unfold h. specialize (G a). split; [apply Rmin_glb; nra | apply Rmin_l]. }
  assert (L : P u <= P h + D).
  { rewrite <- (expect_const P D), <- expect_plus by auto with bounded. apply expect_le; auto with bounded. intros a. unfold h.
    specialize (H a). specialize (U a). unfold Rmin. destruct (Rle_dec 1 (c * g a)); lra. }
  assert (S : Q h <= c * Q g).
  { rewrite <- expect_scale by auto with bounded. apply expect_le; auto with bounded. intros a. apply Rmin_r. }
  specialize (K h Th). pose proof (exp_pos l). nra.
Qed.

Lemma talk_ratio stages : forall spent gone s ls f, spent <= budget -> gone <= more -> test f ->
  talk stages spent gone s ls x f <= exp (budget - spent + owed ls) * talk stages spent gone s (map raised ls) y f + (more - gone).
Proof.
  assert (stop : forall e d (v : R), 0 <= e -> 0 <= d -> 0 <= v -> v <= exp e * v + d).
  { intros e d v E D V. pose proof (exp_ge_1 E). nra. }
  induction stages as [|n IH]; intros spent gone s ls f W G F0; pose proof (test_bounded F0) as B; pose proof (test_nonneg F0) as N.
  { simpl. apply stop; [pose proof (owed_nonneg ls); lra | lra | apply N]. }
  cbn [talk]. destruct (ask s) as [[l dl M|m m0 t bT bQ T Q hits|i m q]|] eqn:E.
  - destruct (up_to budget (spent + l) && up_to more (gone + dl))%bool eqn:F; [|now apply IH].
    apply andb_prop in F. destruct F as [F F']. apply up_to_ok in F, F'.
    set (c := exp (budget - (spent + l) + owed ls)). set (g := fun a => talk n (spent + l) (gone + dl) (Told a :: s) (map raised ls) y f).
    assert (Tg : test g) by (intros a; unfold g; now apply expect_test).
    change (M x (fun a => talk n (spent + l) (gone + dl) (Told a :: s) ls x f) <= exp (budget - spent + owed ls) * M y g + (more - gone)).
    replace (exp (budget - spent + owed ls)) with (c * exp l) by (unfold c; rewrite <- exp_plus; f_equal; ring).
    replace (more - gone) with (dl + (more - (gone + dl))) by ring.
    apply ask_ratio; [exact (asked E) | | exact Tg | left; apply exp_pos | lra | intros a; now apply IH].
    intros a. now apply expect_test.
  - set (l := whole_loss m bT bQ hits). destruct (up_to budget (spent + l)) eqn:F; [|now apply IH]. apply up_to_ok in F.
    destruct (largest_step m0) as (k0 & k1 & _). set (k := Int_part m) in *.
    set (new := fun z => {| level := z; scale := bQ; scale_pos := Q; hits_left := hits; by_ := m; by_nonneg := m0 |}).
    set (c := exp (budget - (spent + l) + (owed ls + INR hits * ((m + m) / bQ)))).
    set (g := fun z => talk n (spent + l) gone (Begun :: s) (map raised ls ++ [new z]) y f).
    assert (Bg : bounded g) by (unfold g; auto with bounded). assert (Ng : nonneg g) by (intros a; unfold g; now apply expect_nonneg).
    change (discrete_laplace T t (fun z => talk n (spent + l) gone (Begun :: s) (ls ++ [new z]) x f) <=
      exp (budget - spent + owed ls) * discrete_laplace T t g + (more - gone)).
    assert (Bs : bounded (fun z => g (z + k)%Z)) by (destruct Bg as [b Bg]; exists b; auto).
    apply Rle_trans with (discrete_laplace T t (fun z => c * g (z + k)%Z + (more - gone))).
    { apply expect_le; [auto with bounded | auto with bounded |]. intros z.
      eapply Rle_trans; [now apply IH|]. rewrite owed_app, map_app. apply Rle_refl. }
    rewrite expect_plus, expect_const, expect_scale by auto with bounded. apply Rplus_le_compat_r. rewrite <- discrete_laplace_shift by exact Bg.
    replace (budget - spent + owed ls) with (budget - (spent + l) + (owed ls + INR hits * ((m + m) / bQ)) + m / bT) by (unfold l, whole_loss; ring).
    rewrite exp_plus, Rmult_assoc. apply Rmult_le_compat_l; [left; apply exp_pos|].
    eapply Rle_trans; [apply (discrete_laplace_ratio T (t + k) t); assumption|].
    apply Rmult_le_compat_r; [now apply expect_nonneg|]. apply exp_le, Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
    replace (t - (t + k))%Z with (- k)%Z by ring. apply IZR_le in k0. rewrite opp_IZR, Rabs_Ropp, Rabs_pos_eq; lra.
  - rewrite nth_error_map. destruct (nth_error ls i) as [l|] eqn:L; [|now apply IH]. cbn [option_map].
    change (by_ (raised l)) with (by_ l). change (hits_left (raised l)) with (hits_left l).
    destruct (up_to (by_ l) m && negb (Nat.eqb (hits_left l) 0))%bool eqn:F; [|now apply IH].
    apply andb_prop in F. destruct F as [F H]. apply up_to_ok in F. apply Bool.negb_true_iff, PeanoNat.Nat.eqb_neq in H.
    destruct (hits_left l) as [|h] eqn:Hl; [congruence|]. rewrite !compare_is by exact B.
    replace (put i (one_hit_less (raised l)) (map raised ls)) with (map raised (put i (one_hit_less l) ls)) by now rewrite put_map.
    set (b := by_ l) in *. pose proof (by_nonneg l) as b0. fold b in b0. destruct (largest_step b0) as (k0 & k1 & k2).
    pose proof (queried E) as Mv. apply Rabs_le_between in Mv.
    assert (Mv' : - b <= IZR (q y) - IZR (q x) <= b) by lra.
    pose proof (above_ratio (scale_pos l) b0 b0 k1 k2 (level l) _ _ Mv') as Up.
    pose proof (below_ratio (scale_pos l) k2 (level l) _ _ Mv') as Down.
    change (level (raised l)) with (level l + Int_part b)%Z. change (scale_pos (raised l)) with (scale_pos l). change (scale (raised l)) with (scale l).
    pose proof (above_between (scale_pos l) (level l) (q x)) as [p0 p1].
    pose proof (above_between (scale_pos l) (level l + Int_part b) (q y)) as [p0' p1'].
    pose proof (@IH spent gone (Compared true :: s) (put i (one_hit_less l) ls) f W G F0) as I1.
    pose proof (@IH spent gone (Compared false :: s) ls f W G F0) as I0. rewrite (owed_put _ _ L Hl) in I1. fold b in I1.
    set (p := above (scale_pos l) (level l) (q x)) in *. set (p' := above (scale_pos l) (level l + Int_part b) (q y)) in *.
    set (c := exp ((b + b) / scale l)) in *. set (C := exp (budget - spent + owed ls)) in *.
    assert (C1 : exp (budget - spent + (owed ls - (b + b) / scale l)) * c = C) by (unfold c, C; rewrite <- exp_plus; f_equal; ring).
    set (C' := exp (budget - spent + (owed ls - (b + b) / scale l))) in *. set (D := more - gone) in *.
    match type of I1 with ?u <= _ * ?v + _ => set (u1 := u) in *; set (v1 := v) in * end.
    match type of I0 with ?u <= _ * ?v + _ => set (u0 := u) in *; set (v0 := v) in * end.
    assert (0 <= v1 /\ 0 <= v0) as (V1 & V0) by (split; now apply expect_nonneg).
    assert (CV1 : 0 <= C' * v1) by (apply Rmult_le_pos; [left; apply exp_pos | exact V1]).
    assert (CV0 : 0 <= C * v0) by (apply Rmult_le_pos; [left; apply exp_pos | exact V0]).
    assert (K1 : p * u1 <= c * p' * (C' * v1) + p * D).
    { apply Rle_trans with (p * (C' * v1 + D)); [now apply Rmult_le_compat_l|]. rewrite Rmult_plus_distr_l.
      apply Rplus_le_compat_r. now apply Rmult_le_compat_r. }
    assert (K0 : (1 - p) * u0 <= (1 - p') * (C * v0) + (1 - p) * D).
    { apply Rle_trans with ((1 - p) * (C * v0 + D)); [apply Rmult_le_compat_l; lra|]. rewrite Rmult_plus_distr_l.
      apply Rplus_le_compat_r. apply Rmult_le_compat_r; lra. }
    apply Rle_trans with ((c * p' * (C' * v1) + p * D) + ((1 - p') * (C * v0) + (1 - p) * D)); [now apply Rplus_le_compat|].
    right. rewrite <- C1. ring.
  - simpl. apply stop; [pose proof (owed_nonneg ls); lra | lra | apply N].
Qed.

Theorem talk_close stages : 0 <= budget -> 0 <= more -> ind (talk stages 0 0 [] [] x) (talk stages 0 0 [] [] y) budget more.
Proof.
  intros N N' f F. pose proof (@talk_ratio stages 0 0 [] [] f N N' F) as R. cbn [owed fold_right map] in R.
  replace (budget - 0 + 0) with budget in R by ring. lra.
Qed.

Lemma talk_alike stages : (forall s l dl M, ask s = Some (Asks l dl M) -> same (M x) (M y)) ->
  (forall s i m q, ask s = Some (Compares i m q) -> q x = q y) ->
  forall spent gone s ls, same (talk stages spent gone s ls x) (talk stages spent gone s ls y).
Proof.
  intros SA SQ. induction stages as [|n IH]; intros spent gone s ls; cbn [talk]; [apply same_refl|].
  destruct (ask s) as [[l dl M|m m0 t bT bQ T Q hits|i m q]|] eqn:E; [| | |apply same_refl].
  - destruct (_ && _)%bool; [|apply IH]. apply same_bind; [exact (SA _ _ _ _ E) | intros a; apply IH].
  - destruct (up_to budget _); [|apply IH]. apply same_bind; [apply same_refl | intros z; apply IH].
  - destruct (nth_error ls i) as [l|]; [|apply IH]. destruct (up_to (by_ l) m && _)%bool; [|apply IH].
    rewrite (SQ _ _ _ _ E). apply same_bind; [apply same_refl|]. intros z. destruct (Z.leb (level l) z); apply IH.
Qed.
End Two.

(** Whatever was seen, a measurement costs at most what is charged, and a query moves by at most what is said, both between data
    at distance 1; and neither sees the order of rows. *)
Variable m : metric X.
Definition honest_talk : Prop := forall s x y, match ask s with
  | Some (Asks l dl M) => (m 1 x y -> ind (M x) (M y) l dl) /\ (m 0 x y -> same (M x) (M y))
  | Some (Compares _ moves q) => (m 1 x y -> Rabs (IZR (q y) - IZR (q x)) <= moves) /\ (m 0 x y -> q x = q y)
  | _ => True end.

Lemma talk_private stages : 0 <= budget -> 0 <= more -> honest_talk ->
  respects m (talk stages 0 0 [] []) /\ private_at m approx (talk stages 0 0 [] []) 1 (budget, more).
Proof.
  intros N N' H. split; intros x y K.
  - apply talk_alike; intros; match goal with E : ask ?s = Some _ |- _ => specialize (H s x y); rewrite E in H; now apply H end.
  - apply talk_close; [| |exact N|exact N']; intros;
      match goal with E : ask ?s = Some _ |- _ => specialize (H s x y); rewrite E in H; now apply H end.
Qed.

Theorem filter_approx stages : whole m -> 0 <= budget -> 0 <= more -> honest_talk ->
  private m approx (talk stages 0 0 [] []) (fun d => (d * budget, more * geometric d budget)).
Proof. intros W N N' H. destruct (talk_private stages N N' H) as [R P]. exact (@lift _ _ _ _ approx _ _ m _ (budget, more) W R (conj N N') P). Qed.
End Talk.

(** Without a delta. *)
Theorem filter_pure X A (ask : list (event A) -> option (question X A)) budget m stages : whole m -> 0 <= budget -> honest_talk ask m ->
  private m pure (talk ask budget 0 stages 0 0 [] []) (fun d => d * budget).
Proof.
  intros W N H. destruct (talk_private stages N (Rle_refl 0) H) as [R P]. exact (@lift _ _ _ _ pure _ _ m _ budget W R N P).
Qed.

(** One above-threshold alone: it is begun, and each query is chosen by the answers before it. *)
Section Alone.
Variables (X : Type) (m : metric X) (threshold : Z) (bT bQ : R) (hits : nat) (T : 0 < bT) (Q : 0 < bQ).
Variable chosen : list (event unit) -> option (X -> Z).
Definition alone (s : list (event unit)) : option (question X unit) :=
  match s with
  | [] => Some (Begins 1 Rle_0_1 threshold bT bQ T Q hits)
  | _ => option_map (Compares 0 1) (chosen s)
  end.
Definition above_threshold_stream (stages : nat) : X -> dist (list (event unit)) :=
  talk alone (whole_loss 1 bT bQ hits) 0 stages 0 0 [] [].

Theorem above_threshold_asked_pure stages : whole m ->
  (forall s q x y, chosen s = Some q -> (m 1 x y -> Rabs (IZR (q y) - IZR (q x)) <= 1) /\ (m 0 x y -> q x = q y)) ->
  private m pure (above_threshold_stream stages) (fun d => d / bT + 2 * INR hits * d / bQ).
Proof.
  intros W H d x y K. unfold above_threshold_stream.
  replace (d / bT + 2 * INR hits * d / bQ) with (d * whole_loss 1 bT bQ hits) by (unfold whole_loss; field; lra).
  apply (@filter_pure X unit alone (whole_loss 1 bT bQ hits) m stages W); [| |exact K].
  - unfold whole_loss. pose proof (pos_INR hits). pose proof (Rinv_0_lt_compat _ T). pose proof (Rinv_0_lt_compat _ Q).
    unfold Rdiv. assert (0 <= INR hits * ((1 + 1) * / bQ)) by (apply Rmult_le_pos; lra). lra.
  - intros s u v. unfold alone. destruct s as [|e s]; [exact I|]. destruct (chosen (e :: s)) as [q|] eqn:E; [|exact I].
    exact (H _ _ _ _ E).
Qed.
End Alone.
