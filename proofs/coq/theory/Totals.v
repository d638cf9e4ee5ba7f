(** * Totals: what is added up over all rows

    Counts, sums, vector sums, histograms and linear queries are all of one kind: some queries, each a whole number of grid
    steps for a row, added up over the rows. In any seminorm the totals move by no more than the rows that differ bring. *)
From Coq Require Import Reals Lra Psatz Lia List Permutation ZArith.
From DPcore Require Import Distributions Measures Metrics Norms.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Definition total {T} (q : T -> Z) (x : list T) : Z := fold_right (fun r s => q r + s)%Z 0%Z x.
Definition totals {T} (qs : list (T -> Z)) (x : list T) : list Z := map (fun q => total q x) qs.

(** What one row brings, and what replacing [r] by [r'] changes. *)
Definition column {T} (g : R) (qs : list (T -> Z)) (r : T) : list R := map (fun q => g * IZR (q r)) qs.
Definition change {T} (g : R) (qs : list (T -> Z)) (r r' : T) : list R := map (fun q => g * (IZR (q r') - IZR (q r))) qs.

(** A seminorm, on vectors indexed by anything. *)
Record seminorm (N : list R -> R) := {
  semi_plus : forall Q (h k : Q -> R) qs, N (map (fun q => h q + k q) qs) <= N (map h qs) + N (map k qs);
  semi_opp : forall u, N (map Ropp u) = N u;
  semi_null : forall Q (qs : list Q), N (map (fun _ => 0) qs) = 0 }.

Lemma total_app T (q : T -> Z) x y : total q (x ++ y) = (total q x + total q y)%Z.
Proof. induction x as [|r x IH]; simpl; lia. Qed.

Lemma total_perm T (q : T -> Z) x y : Permutation x y -> total q x = total q y.
Proof. induction 1; simpl; lia. Qed.

Lemma total_differ T (q : T -> Z) x y l r : differ x y l r -> (total q y - total q x = total q r - total q l)%Z.
Proof. intros (c & H & K). rewrite (total_perm q H), (total_perm q K), !total_app. lia. Qed.

Lemma moves_map Q g (f h : Q -> Z) qs : moves g (map f qs) (map h qs) = map (fun q => g * (IZR (h q) - IZR (f q))) qs.
Proof. unfold moves; induction qs; simpl; congruence. Qed.

Lemma moves_totals T g (qs : list (T -> Z)) x y l r : differ x y l r ->
  moves g (totals qs x) (totals qs y) = map (fun q => g * (IZR (total q r) - IZR (total q l))) qs.
Proof.
  intros D. unfold totals; rewrite moves_map. apply map_ext; intros q.
  rewrite <- !minus_IZR. now rewrite (total_differ q D).
Qed.

Section Additive.
Variables (N : list R -> R) (S : seminorm N) (T : Type) (ok : T -> Prop) (g : R) (qs : list (T -> Z)).

Lemma brought B l : (forall r, ok r -> N (column g qs r) <= B) -> Forall ok l ->
  N (map (fun q => g * IZR (total q l)) qs) <= INR (length l) * B.
Proof.
  intros H; induction l as [|r l IH]; intros A.
  - simpl. rewrite (map_ext _ (fun _ => 0)) by (intros; ring). rewrite (semi_null S); lra.
  - inversion A; subst. change (length (r :: l)) with (Datatypes.S (length l)). rewrite S_INR.
    rewrite (map_ext _ (fun q => g * IZR (q r) + g * IZR (total q l))) by (intros; simpl; rewrite plus_IZR; ring).
    eapply Rle_trans; [apply (semi_plus S)|]. specialize (H r H2). specialize (IH H3). unfold column in H. lra.
Qed.

Lemma replaced B l : forall r, (forall a b, ok a -> ok b -> N (change g qs a b) <= B) -> Forall ok l -> Forall ok r ->
  length l = length r -> N (map (fun q => g * (IZR (total q r) - IZR (total q l))) qs) <= INR (length l) * B.
Proof.
  induction l as [|a l IH]; intros [|b r] H A A' E; try discriminate.
  - simpl. rewrite (map_ext _ (fun _ => 0)) by (intros; ring). rewrite (semi_null S); lra.
  - inversion A; inversion A'; subst. injection E as E. change (length (a :: l)) with (Datatypes.S (length l)).
    rewrite S_INR.
    rewrite (map_ext _ (fun q => g * (IZR (q b) - IZR (q a)) + g * (IZR (total q r) - IZR (total q l))))
      by (intros; simpl; rewrite !plus_IZR; ring).
    eapply Rle_trans; [apply (semi_plus S)|]. specialize (IH r H H3 H7 E). specialize (H a b H2 H6). unfold change in H. lra.
Qed.

Lemma differ_ok x y l r : differ x y l r -> Forall ok x -> Forall ok y -> Forall ok l /\ Forall ok r.
Proof.
  intros (c & H & K) X Y; rewrite !Forall_forall in *; split; intros a I; [apply X | apply Y];
  (eapply Permutation_in; [symmetry; eassumption | apply in_or_app; auto]).
Qed.

Theorem totals_symmetric B d x y : 0 <= B -> (forall r, ok r -> N (column g qs r) <= B) ->
  on (Forall ok) symmetric d x y -> N (moves g (totals qs x) (totals qs y)) <= d * B.
Proof.
  intros HB H (X & Y & l & r & D & E). rewrite (moves_totals g qs D). destruct (differ_ok D X Y) as [Ol Or].
  rewrite (map_ext _ (fun q => g * IZR (total q r) + - (g * IZR (total q l)))) by (intros; ring).
  eapply Rle_trans; [apply (semi_plus S)|]. rewrite <- (map_map (fun q => g * IZR (total q l)) Ropp), (semi_opp S).
  pose proof (brought H Ol). pose proof (brought H Or). rewrite plus_INR in E. nra.
Qed.

Theorem totals_change_one B d x y : 0 <= B -> (forall a b, ok a -> ok b -> N (change g qs a b) <= B) ->
  on (Forall ok) change_one d x y -> N (moves g (totals qs x) (totals qs y)) <= d * B.
Proof.
  intros HB H (X & Y & l & r & D & E & F). rewrite (moves_totals g qs D). destruct (differ_ok D X Y) as [Ol Or].
  pose proof (replaced H Ol Or E). nra.
Qed.
End Additive.

Lemma everywhere T (m : metric (list T)) d x y : m d x y -> on (Forall (fun _ => True)) m d x y.
Proof. intros H; repeat split; auto; apply Forall_forall; auto. Qed.

(** ** The norms are seminorms; L2 once its root is taken *)
Definition norm2 (u : list R) : R := sqrt (norm2_squared u).

Lemma semi_norm1 : seminorm norm1.
Proof.
  constructor; [| exact norm1_opp |]; unfold norm1; intros; rewrite !sum_map.
  - rewrite <- sum_plus. apply sum_le; intros; apply Rabs_triang.
  - rewrite Rabs_R0, sum_const; ring.
Qed.

Lemma semi_norm2 : seminorm norm2.
Proof.
  constructor; unfold norm2.
  - intros Q h k qs. set (A := norm2_squared (map h qs)). set (B := norm2_squared (map k qs)).
    assert (A0 : 0 <= A) by apply norm2_nonneg. assert (B0 : 0 <= B) by apply norm2_nonneg.
    pose proof (sqrt_pos A). pose proof (sqrt_pos B). rewrite <- (sqrt_Rsqr (sqrt A + sqrt B)) by lra.
    apply sqrt_le_1_alt. unfold Rsqr.
    pose proof (cauchy_schwarz h k qs) as C. set (D := sum (fun q => h q * k q) qs) in C.
    replace (sum (fun c => h c * h c) qs) with A in C by (unfold A, norm2_squared; now rewrite sum_map).
    replace (sum (fun c => k c * k c) qs) with B in C by (unfold B, norm2_squared; now rewrite sum_map).
    assert (E : D <= sqrt A * sqrt B).
    { rewrite <- sqrt_mult by assumption. eapply Rle_trans; [apply Rle_abs|].
      rewrite <- (sqrt_Rsqr_abs D). now apply sqrt_le_1_alt. }
    replace (norm2_squared (map (fun q => h q + k q) qs)) with (A + 2 * D + B).
    + pose proof (sqrt_sqrt A A0). pose proof (sqrt_sqrt B B0). nra.
    + unfold A, B, D, norm2_squared. rewrite !sum_map, <- sum_scale, <- !sum_plus. apply sum_ext; intros; ring.
  - intros; now rewrite norm2_opp.
  - intros. unfold norm2_squared. rewrite sum_map, sum_const. replace (INR (length qs) * (0 * 0)) with 0 by ring.
    apply sqrt_0.
Qed.

Lemma semi_norm_inf : seminorm norm_inf.
Proof.
  constructor; [| exact norm_inf_opp |]; intros.
  - destruct (proj1 (norm_inf_le (map h qs) _) (Rle_refl _)) as [H0 H].
    destruct (proj1 (norm_inf_le (map k qs) _) (Rle_refl _)) as [K0 K].
    apply norm_inf_le; split; [lra|]. intros a I. apply in_map_iff in I. destruct I as (q & <- & I).
    eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat; [apply H | apply K]; now apply in_map.
  - apply Rle_antisym; [|apply norm_inf_nonneg]. apply norm_inf_le; split; [lra|]. intros a I.
    apply in_map_iff in I. destruct I as (q & <- & I). rewrite Rabs_R0; lra.
Qed.

Lemma norm2_le_square u b : 0 <= b -> norm2 u <= b -> norm2_squared u <= b * b.
Proof. intros Hb H. unfold norm2 in H. rewrite <- (sqrt_sqrt (norm2_squared u)) by apply norm2_nonneg.
pose proof (sqrt_pos (norm2_squared u)). nra. Qed.
