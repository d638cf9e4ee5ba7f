(** * Norms of lists of numbers, and the metrics of vectors that they give

    A value on a grid of step [g] is a whole number of steps; a vector is a list of them. L2 is carried as its square. *)
From Coq Require Import Reals Lra Psatz Lia List ZArith.
From DPcore Require Import Distributions Measures Metrics.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** The largest member that is above 0. *)
Definition top (u : list R) : R := fold_right Rmax 0 u.

Definition norm1 (u : list R) : R := sum Rabs u.
Definition norm2_squared (u : list R) : R := sum (fun a => a * a) u.
Definition norm_inf (u : list R) : R := top (map Rabs u).
(** The most that goes up plus the most that goes down. *)
Definition range (u : list R) : R := top u + top (map Ropp u).

(** ** The metrics *)

(** The way from v to w, coordinate by coordinate. *)
Definition moves (g : R) (v w : list Z) : list R := map (fun p => g * (IZR (snd p) - IZR (fst p))) (combine v w).

Lemma moves_opp g v w : moves g w v = map Ropp (moves g v w).
Proof.
  revert w; induction v as [|a v IH]; intros [|b w]; simpl; try reflexivity. unfold moves in *; simpl.
  rewrite IH. f_equal; ring.
Qed.

Lemma sum_map C D (h : D -> R) (f : C -> D) cs : sum h (map f cs) = sum (fun c => h (f c)) cs.
Proof. induction cs; simpl; congruence. Qed.

Lemma top_nonneg u : 0 <= top u.
Proof. induction u as [|a u IH]; simpl; [lra|]. eapply Rle_trans; [exact IH | apply Rmax_r]. Qed.
Lemma top_ge u a : In a u -> a <= top u.
Proof.
  induction u as [|b u IH]; simpl; [tauto|]. intros [->|I]; [apply Rmax_l | eapply Rle_trans; [now apply IH | apply Rmax_r]].
Qed.
Lemma top_le u B : 0 <= B -> (forall a, In a u -> a <= B) -> top u <= B.
Proof. intros H; induction u as [|b u IH]; simpl; intros K; [exact H|]. apply Rmax_lub; auto. Qed.

Lemma norm1_nonneg u : 0 <= norm1 u.
Proof. apply sum_nonneg; intros; apply Rabs_pos. Qed.
Lemma norm2_nonneg u : 0 <= norm2_squared u.
Proof. apply sum_nonneg; intros; nra. Qed.
Lemma norm_inf_nonneg u : 0 <= norm_inf u.
Proof. apply top_nonneg. Qed.
Lemma range_nonneg u : 0 <= range u.
Proof. unfold range; pose proof (top_nonneg u); pose proof (top_nonneg (map Ropp u)); lra. Qed.

Lemma norm1_opp u : norm1 (map Ropp u) = norm1 u.
Proof. unfold norm1; rewrite sum_map. apply sum_ext; intros; apply Rabs_Ropp. Qed.
Lemma norm2_opp u : norm2_squared (map Ropp u) = norm2_squared u.
Proof. unfold norm2_squared; rewrite sum_map. apply sum_ext; intros; ring. Qed.
Lemma norm_inf_opp u : norm_inf (map Ropp u) = norm_inf u.
Proof. unfold norm_inf; rewrite map_map; f_equal. apply map_ext; intros; apply Rabs_Ropp. Qed.
Lemma range_opp u : range (map Ropp u) = range u.
Proof.
  unfold range. rewrite map_map, (map_ext (fun a => - - a) (fun a => a)) by (intros; apply Ropp_involutive).
  rewrite map_id. ring.
Qed.

Definition vectors (N : list R -> R) (N0 : forall u, 0 <= N u) (No : forall u, N (map Ropp u) = N u) (g : R) :
  metric (list Z).
Proof.
  refine {| within := fun d v w => length v = length w /\ N (moves g v w) <= d |}.
  - intros d v w [H K]; split; [now symmetry | now rewrite moves_opp, No].
  - intros d v w [_ K]; pose proof (N0 (moves g v w)); lra.
  - intros d d' v w H [E K]; split; [exact E | lra].
Defined.

Definition l1 := vectors norm1 norm1_nonneg norm1_opp.
Definition l2 := vectors norm2_squared norm2_nonneg norm2_opp.       (* d is the square of the distance *)
Definition linf := vectors norm_inf norm_inf_nonneg norm_inf_opp.
Definition range_distance := vectors range range_nonneg range_opp.

(** AbsoluteDistance, of numbers on a grid. *)
Definition absolute (g : R) : metric Z.
Proof.
  refine {| within := fun d a b => Rabs (g * (IZR b - IZR a)) <= d |}.
  - intros d a b H. rewrite <- Rabs_Ropp. replace (- (g * (IZR a - IZR b))) with (g * (IZR b - IZR a)) by ring. exact H.
  - intros d a b H. pose proof (Rabs_pos (g * (IZR b - IZR a))); lra.
  - intros; lra.
Defined.

(** ** Inequalities between norms *)

Lemma norm_inf_le u B : norm_inf u <= B <-> 0 <= B /\ forall a, In a u -> Rabs a <= B.
Proof.
  unfold norm_inf; split.
  - intros H; split; [pose proof (top_nonneg (map Rabs u)); lra|].
    intros a I. apply Rle_trans with (2 := H). apply top_ge, in_map, I.
  - intros [H K]. apply top_le; auto. intros a I. apply in_map_iff in I. destruct I as (b & <- & I); auto.
Qed.

Lemma range_le u B : range u <= B <-> exists up down, up + down <= B /\ 0 <= up /\ 0 <= down /\ forall a, In a u ->
  - down <= a <= up.
Proof.
  unfold range; split.
  - intros H. exists (top u), (top (map Ropp u)). repeat split; auto using top_nonneg, top_ge.
    pose proof (top_ge (map Ropp u) (- a) (in_map Ropp u a H0)); lra.
  - intros (p & q & H & Hp & Hq & K). apply Rle_trans with (2 := H). apply Rplus_le_compat; apply top_le; auto.
    + intros a I; apply (K a I).
    + intros a I. apply in_map_iff in I. destruct I as (b & <- & I). specialize (K b I); lra.
Qed.

(** Cauchy and Schwarz. *)
Lemma cauchy_schwarz C (h k : C -> R) cs :
  (sum (fun c => h c * k c) cs)² <= sum (fun c => h c * h c) cs * sum (fun c => k c * k c) cs.
Proof.
  induction cs as [|c cs IH]; simpl; [unfold Rsqr; lra|].
  set (A := sum (fun c => h c * h c) cs) in *. set (B := sum (fun c => k c * k c) cs) in *.
  set (D := sum (fun c => h c * k c) cs) in *.
  assert (A0 : 0 <= A) by (apply sum_nonneg; intros; nra). assert (B0 : 0 <= B) by (apply sum_nonneg; intros; nra).
  assert (2 * D * (h c * k c) <= A * (k c * k c) + B * (h c * h c)).
  { assert (E : Rabs D <= sqrt A * sqrt B).
    { rewrite <- sqrt_mult by assumption. 
      rewrite <- (sqrt_Rsqr_abs D). now apply sqrt_le_1_alt. }
    pose proof (sqrt_sqrt A A0). pose proof (sqrt_sqrt B B0). set (a := sqrt A) in *. set (b := sqrt B) in *.
    assert (D * (h c * k c) <= a * b * Rabs (h c * k c)).
    { apply Rle_trans with (Rabs (D * (h c * k c))); [apply Rle_abs|]. rewrite Rabs_mult.
      apply Rmult_le_compat_r; [apply Rabs_pos | exact E]. }
    assert (Rabs (h c * k c) = Rabs (h c) * Rabs (k c)) by apply Rabs_mult.
    assert (h c * h c = Rabs (h c) * Rabs (h c)) by (rewrite <- Rabs_mult; symmetry; apply Rabs_pos_eq; nra).
    assert (k c * k c = Rabs (k c) * Rabs (k c)) by (rewrite <- Rabs_mult; symmetry; apply Rabs_pos_eq; nra).
    pose proof (Rle_0_sqr (a * Rabs (k c) - b * Rabs (h c))) as S. unfold Rsqr in S. nra. }
  unfold Rsqr in *. nra.
Qed.

Lemma norm1_squared_le u : (norm1 u)² <= INR (length u) * norm2_squared u.
Proof.
  pose proof (cauchy_schwarz (fun _ => 1) Rabs u) as H. unfold norm1, norm2_squared.
  replace (INR (length u)) with (sum (fun _ : R => 1 * 1) u).
  - rewrite (sum_ext (fun a => a * a) (fun a => Rabs a * Rabs a)).
    + rewrite (sum_ext Rabs (fun a => 1 * Rabs a)) by (intros; ring). exact H.
    + intros a _. rewrite <- Rabs_mult. symmetry; apply Rabs_pos_eq; nra.
  - clear; induction u as [|a u IH]; [reflexivity|]. simpl sum. rewrite IH. change (length (a :: u)) with (S (length u)).
    rewrite S_INR; ring.
Qed.

Lemma norm2_le_norm1_squared u : norm2_squared u <= (norm1 u)².
Proof.
  unfold norm2_squared, norm1, Rsqr. induction u as [|a u IH]; simpl; [lra|].
  pose proof (norm1_nonneg u) as N. unfold norm1 in N. pose proof (Rabs_pos a).
  assert (a * a = Rabs a * Rabs a) by (rewrite <- Rabs_mult; symmetry; apply Rabs_pos_eq; nra). nra.
Qed.

Lemma member_le_norm1 u a : In a u -> Rabs a <= norm1 u.
Proof.
  unfold norm1; induction u as [|b u IH]; simpl; [tauto|]. pose proof (norm1_nonneg u) as N. unfold norm1 in N.
  intros [->|I]; [lra|]. specialize (IH I). pose proof (Rabs_pos b); lra.
Qed.

Lemma member_le_norm2 u a : In a u -> a * a <= norm2_squared u.
Proof.
  unfold norm2_squared; induction u as [|b u IH]; simpl; [tauto|]. pose proof (norm2_nonneg u) as N.
  unfold norm2_squared in N.
  intros [->|I]; [lra|]. specialize (IH I). nra.
Qed.

Lemma norm1_le_range u : range u <= norm1 u.
Proof.
  unfold range, norm1. induction u as [|a u IH]; simpl; [lra|].
  pose proof (top_nonneg u); pose proof (top_nonneg (map Ropp u)).
  set (t := top u) in *. set (b := top (map Ropp u)) in *. set (n := sum Rabs u) in *.
  unfold Rabs; destruct (Rcase_abs a); unfold Rmax; destruct (Rle_dec a t), (Rle_dec (- a) b); lra.
Qed.

(** ** The metrics compared *)
Notation same_vector := (fun v : list Z => v).

Theorem l1_to_l2 g : stable (l1 g) (l2 g) (fun d => d * d) same_vector.
Proof.
  intros d v w [E H]; split; [exact E|]. pose proof (norm2_le_norm1_squared (moves g v w)).
  pose proof (norm1_nonneg (moves g v w)). unfold Rsqr in *. nra.
Qed.

Theorem l1_to_linf g : stable (l1 g) (linf g) (fun d => d) same_vector.
Proof.
  intros d v w [E H]; split; [exact E|]. apply norm_inf_le; split; [pose proof (norm1_nonneg (moves g v w)); lra|].
  intros a I; pose proof (member_le_norm1 _ _ I); lra.
Qed.

Theorem l1_to_range g : stable (l1 g) (range_distance g) (fun d => d) same_vector.
Proof. intros d v w [E H]; split; [exact E|]. eapply Rle_trans; [apply norm1_le_range | exact H]. Qed.

Theorem l2_to_linf g : stable (l2 g) (linf g) sqrt same_vector.
Proof.
  intros d v w [E H]; split; [exact E|]. apply norm_inf_le; split; [apply sqrt_pos|].
  intros a I. rewrite <- sqrt_Rsqr_abs. apply sqrt_le_1_alt. exact (Rle_trans _ _ _ (member_le_norm2 _ _ I) H).
Qed.

Lemma length_moves g v w n : length v = n -> length v = length w -> length (moves g v w) = n.
Proof. intros H K. unfold moves. rewrite map_length, combine_length. lia. Qed.

Theorem l2_to_l1 g n : stable (on (fun v => length v = n) (l2 g)) (l1 g) (fun d => sqrt (INR n * d)) same_vector.
Proof.
  intros d v w (L & _ & E & H); split; [exact E|].
  rewrite <- (sqrt_Rsqr (norm1 _)) by apply norm1_nonneg. apply sqrt_le_1_alt.
  eapply Rle_trans; [apply norm1_squared_le|]. rewrite (length_moves g v w L E).
  apply Rmult_le_compat_l; [apply pos_INR | exact H].
Qed.

Lemma sum_const C (c : R) (cs : list C) : sum (fun _ => c) cs = INR (length cs) * c.
Proof. induction cs as [|a cs IH]; [simpl; ring|]. simpl sum. rewrite IH.
change (length (a :: cs)) with (S (length cs)). rewrite S_INR; ring. Qed.

Theorem linf_to_l1 g n : stable (on (fun v => length v = n) (linf g)) (l1 g) (fun d => INR n * d) same_vector.
Proof.
  intros d v w (L & _ & E & H); split; [exact E|]. apply norm_inf_le in H. destruct H as [_ H].
  rewrite <- (length_moves g v w L E), <- sum_const with (cs := moves g v w). now apply sum_le.
Qed.

Theorem linf_to_l2 g n : stable (on (fun v => length v = n) (linf g)) (l2 g) (fun d => INR n * d * d) same_vector.
Proof.
  intros d v w (L & _ & E & H); split; [exact E|]. apply norm_inf_le in H. destruct H as [D H].
  rewrite Rmult_assoc, <- (length_moves g v w L E), <- sum_const with (cs := moves g v w). apply sum_le.
  intros a I. specialize (H a I). apply Rabs_le_between in H. nra.
Qed.

Theorem linf_to_range g : stable (linf g) (range_distance g) (fun d => 2 * d) same_vector.
Proof.
  intros d v w [E H]; split; [exact E|]. apply norm_inf_le in H. destruct H as [D H].
  apply range_le. exists d, d. repeat split; try lra; apply H in H0; apply Rabs_le_between in H0; lra.
Qed.

Theorem range_to_linf g : stable (range_distance g) (linf g) (fun d => d) same_vector.
Proof.
  intros d v w [E H]; split; [exact E|]. apply range_le in H. destruct H as (p & q & S & Hp & Hq & K).
  apply norm_inf_le; split; [lra|]. intros a I. specialize (K a I). apply Rabs_le; lra.
Qed.
