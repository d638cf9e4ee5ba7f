(** * Counts, sums, vector sums and linear queries *)
From Coq Require Import Reals Lra Psatz Lia List Permutation ZArith.
From DPcore Require Import Distributions Measures Metrics Norms Totals RowStability.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** One total, as a vector of length 1. *)
Lemma absolute_of_total T (q : T -> Z) g x y d :
  norm1 (moves g (totals [q] x) (totals [q] y)) <= d -> absolute g d (total q x) (total q y).
Proof. intros H. change (Rabs (g * (IZR (total q y) - IZR (total q x))) + 0 <= d) in H. now rewrite Rplus_0_r in H. Qed.

(** ** count *)
Definition count {T} (x : list T) : Z := Z.of_nat (length x).

Lemma count_total T (x : list T) : count x = total (fun _ => 1%Z) x.
Proof.
  unfold count; induction x as [|r x IH]; [reflexivity|].
  simpl length. rewrite Nat2Z.inj_succ, IH. change (total _ (r :: x)) with (1 + total (fun _ : T => 1) x)%Z. lia.
Qed.

Theorem count_symmetric T : stable (@symmetric T) (absolute 1) (fun d => d) count.
Proof.
  intros d x y D. rewrite !count_total. apply absolute_of_total. replace d with (d * 1) by ring.
  eapply (totals_symmetric semi_norm1); [lra | | exact (everywhere _ _ _ _ D)].
  intros r _; unfold norm1; simpl. rewrite Rmult_1_l, Rabs_R1; lra.
Qed.

(** The number of rows is public: it does not move. *)
Theorem count_change_one T : stable (@change_one T) (absolute 1) (fun d => 0 * d) count.
Proof.
  intros d x y D. rewrite !count_total. apply absolute_of_total. rewrite Rmult_comm.
  eapply (totals_change_one semi_norm1); [lra | | exact (everywhere _ _ _ _ D)].
  intros a b _ _; unfold norm1; simpl. replace (1 * (1 - 1)) with 0 by ring. rewrite Rabs_R0; lra.
Qed.

(** ** sum, of numbers of grid steps with values in [low, high] *)
Definition between (g low high : R) (z : Z) := low <= g * IZR z <= high.
Definition sum_rows (x : list Z) : Z := total (fun z => z) x.

Theorem sum_symmetric g low high : low <= high ->
  stable (on (Forall (between g low high)) symmetric) (absolute g) (fun d => d * Rmax (Rabs low) (Rabs high)) sum_rows.
Proof.
  intros L d x y D. apply absolute_of_total.
  pose proof (Rmax_l (Rabs low) (Rabs high)). pose proof (Rmax_r (Rabs low) (Rabs high)). pose proof (Rabs_pos low).
  eapply (totals_symmetric semi_norm1); [lra | | exact D].
  intros z [Z1 Z2]; unfold norm1; simpl. rewrite Rplus_0_r. apply Rabs_le.
  pose proof (Rle_abs high). pose proof (Rle_abs (- low)) as K. rewrite Rabs_Ropp in K. lra.
Qed.

Theorem sum_change_one g low high : low <= high ->
  stable (on (Forall (between g low high)) change_one) (absolute g) (fun d => d * (high - low)) sum_rows.
Proof.
  intros L d x y D. apply absolute_of_total. eapply (totals_change_one semi_norm1); [lra | | exact D].
  intros a b [A1 A2] [B1 B2]; unfold norm1; simpl. rewrite Rplus_0_r, Rmult_minus_distr_l. apply Rabs_le; lra.
Qed.

(** ** vector sum, of rows that are vectors of length [n] *)
Definition coordinates (n : nat) : list (list Z -> Z) := map (fun i v => nth i v 0%Z) (seq 0 n).
Definition vector_sum (n : nat) (x : list (list Z)) : list Z := totals (coordinates n) x.

(** A row whose norm, on the grid, is at most [bound]. *)
Definition values (g : R) (v : list Z) : list R := map (fun z => g * IZR z) v.
Definition short (N : list R -> R) (g : R) (n : nat) (bound : R) (v : list Z) := length v = n /\ N (values g v) <= bound.

Lemma column_coordinates g n v : length v = n -> column g (coordinates n) v = values g v.
Proof.
  intros <-. unfold column, coordinates, values. rewrite map_map.
  transitivity (map (fun z => g * IZR z) (map (fun i => nth i v 0%Z) (seq 0 (length v)))); [now rewrite map_map|].
  f_equal. induction v as [|a v IH]; [reflexivity|]. simpl; f_equal. rewrite <- seq_shift, map_map. exact IH.
Qed.

Lemma change_coordinates N g n a b (S : seminorm N) : length a = n -> length b = n ->
  N (change g (coordinates n) a b) <= N (values g a) + N (values g b).
Proof.
  intros A B. unfold change. rewrite (map_ext _ (fun q => g * IZR (q b) + - (g * IZR (q a)))) by (intros; ring).
  eapply Rle_trans; [apply (semi_plus S)|].
  rewrite <- (map_map (fun q : list Z -> Z => g * IZR (q a)) Ropp), (semi_opp S).
  fold (column g (coordinates n) b) (column g (coordinates n) a). rewrite !column_coordinates by assumption. lra.
Qed.

Lemma vector_sum_length n x y : length (vector_sum n x) = length (vector_sum n y).
Proof. unfold vector_sum, totals; now rewrite !map_length. Qed.

(** ** Vectors shortened

    What clipping has to satisfy. In L1 and L2 every coordinate is scaled by one number [t], then rounded towards zero onto
    the grid; in LInf each is cut off at the bound on its own. *)
Definition shortened (t : R) (v w : list Z) := Forall2 (fun a b => Rabs (IZR b) <= t * Rabs (IZR a)) v w.

Lemma shortened_length t v w : shortened t v w -> length w = length v.
Proof. induction 1; simpl; congruence. Qed.

Lemma shortened_norms g t v w : 0 <= t -> shortened t v w ->
  norm1 (values g w) <= t * norm1 (values g v) /\ norm2_squared (values g w) <= t * t * norm2_squared (values g v).
Proof.
  intros Ht. unfold norm1, norm2_squared. induction 1 as [|a b v w C _ [I J]]; simpl; [lra|]. rewrite !Rabs_mult.
  pose proof (Rabs_pos g) as G. pose proof (Rabs_pos (IZR b)) as B. pose proof (Rabs_pos (IZR a)) as A. split; [nra|].
  assert (S : IZR b * IZR b <= t * t * (IZR a * IZR a)).
  { rewrite <- (Rabs_pos_eq (IZR b * IZR b)), <- (Rabs_pos_eq (IZR a * IZR a)), !Rabs_mult by nra.
    replace (t * t * (Rabs (IZR a) * Rabs (IZR a))) with (t * Rabs (IZR a) * (t * Rabs (IZR a))) by ring.
    apply Rmult_le_compat; assumption. }
  pose proof (Rle_0_sqr g) as Q. unfold Rsqr in Q.
  replace (g * IZR b * (g * IZR b)) with (g * g * (IZR b * IZR b)) by ring.
  replace (g * IZR a * (g * IZR a)) with (g * g * (IZR a * IZR a)) by ring. nra.
Qed.

Theorem shortened_l1 g n bound t v w : length v = n -> 0 <= t -> t * norm1 (values g v) <= bound -> shortened t v w ->
  short norm1 g n bound w.
Proof.
  intros <- Ht B S. split; [exact (shortened_length S)|]. destruct (shortened_norms g Ht S). lra.
Qed.

(** The norm and the bound are squares. *)
Theorem shortened_l2 g n bound t v w : length v = n -> 0 <= t -> t * t * norm2_squared (values g v) <= bound ->
  shortened t v w -> short norm2_squared g n bound w.
Proof.
  intros <- Ht B S. split; [exact (shortened_length S)|]. destruct (shortened_norms g Ht S). lra.
Qed.

Theorem shortened_linf g n bound w : length w = n -> 0 <= bound -> Forall (fun z => Rabs (g * IZR z) <= bound) w ->
  short norm_inf g n bound w.
Proof.
  intros L B F. split; [exact L|]. apply norm_inf_le; split; [exact B|]. intros a I. unfold values in I.
  apply in_map_iff in I. destruct I as (z & <- & I). rewrite Forall_forall in F. exact (F z I).
Qed.

(** A clipping that leaves every vector of length n short: data sets stay as near, and their rows are what [vector_sum]
    asks for. *)
Theorem clip_norm_rows N g n bound (clip : list Z -> list Z) : (forall v, length v = n -> short N g n bound (clip v)) ->
  stable (on (Forall (fun v => length v = n)) symmetric) (on (Forall (short N g n bound)) symmetric) (fun d => d) (map clip) /\
  stable (on (Forall (fun v => length v = n)) change_one) (on (Forall (short N g n bound)) change_one) (fun d => d) (map clip).
Proof. apply rows_mapped_on. Qed.

(** In L1 and in LInf. *)
Theorem vector_sum_symmetric g n bound : 0 <= bound ->
  stable (on (Forall (short norm1 g n bound)) symmetric) (l1 g) (fun d => d * bound) (vector_sum n) /\
  stable (on (Forall (short norm_inf g n bound)) symmetric) (linf g) (fun d => d * bound) (vector_sum n).
Proof.
  intros B; split; intros d x y D; (split; [apply vector_sum_length|]);
  [apply (totals_symmetric semi_norm1) with (3 := D) | apply (totals_symmetric semi_norm_inf) with (3 := D)]; auto;
  intros r [L H]; now rewrite column_coordinates.
Qed.

Theorem vector_sum_change_one g n bound : 0 <= bound ->
  stable (on (Forall (short norm1 g n bound)) change_one) (l1 g) (fun d => 2 * d * bound) (vector_sum n) /\
  stable (on (Forall (short norm_inf g n bound)) change_one) (linf g) (fun d => 2 * d * bound) (vector_sum n).
Proof.
  intros B; split; intros d x y D; (split; [apply vector_sum_length|]);
    replace (2 * d * bound) with (d * (2 * bound)) by ring;
  [apply (totals_change_one semi_norm1) with (3 := D) | apply (totals_change_one semi_norm_inf) with (3 := D)];
  try lra; intros a b [La Ha] [Lb Hb].
  - pose proof (@change_coordinates _ g n a b semi_norm1 La Lb); lra.
  - pose proof (@change_coordinates _ g n a b semi_norm_inf La Lb); lra.
Qed.

(** In L2, with the square of the bound, carried as squares. *)
Theorem vector_sum_l2_symmetric g n bound : 0 <= bound ->
  stable (on (Forall (short norm2_squared g n bound)) symmetric) (l2 g) (fun d => d * d * bound) (vector_sum n).
Proof.
  intros B d x y D; split; [apply vector_sum_length|]. pose proof (within_nonneg _ _ _ _ D) as Hd.
  replace (d * d * bound) with (d * sqrt bound * (d * sqrt bound)) by (rewrite <- (sqrt_sqrt bound) at 3 by exact B; ring).
  pose proof (sqrt_pos bound). apply norm2_le_square; [nra|].
  apply (totals_symmetric semi_norm2) with (3 := D); [exact H|]. intros r [L K]. rewrite column_coordinates by exact L.
  now apply sqrt_le_1_alt.
Qed.

Theorem vector_sum_l2_change_one g n bound : 0 <= bound ->
  stable (on (Forall (short norm2_squared g n bound)) change_one) (l2 g) (fun d => 4 * d * d * bound) (vector_sum n).
Proof.
  intros B d x y D; split; [apply vector_sum_length|]. pose proof (within_nonneg _ _ _ _ D) as Hd.
  replace (4 * d * d * bound) with (d * (2 * sqrt bound) * (d * (2 * sqrt bound)))
    by (rewrite <- (sqrt_sqrt bound) at 3 by exact B; ring).
  pose proof (sqrt_pos bound). apply norm2_le_square; [nra|].
  apply (totals_change_one semi_norm2) with (3 := D); [lra|]. intros a b [La Ha] [Lb Hb].
  eapply Rle_trans; [apply (@change_coordinates _ g n a b semi_norm2 La Lb)|].
  apply sqrt_le_1_alt in Ha, Hb. unfold norm2. lra.
Qed.

(** A check that the rules fit together: every row clipped, then the sum. *)
Example clipped_sum g n bound (clip : list Z -> list Z) : 0 <= bound ->
  (forall v, length v = n -> short norm1 g n bound (clip v)) ->
  stable (on (Forall (fun v => length v = n)) symmetric) (l1 g) (fun d => d * bound) (fun x => vector_sum n (map clip x)).
Proof.
  intros B H d x y D. apply (proj1 (vector_sum_symmetric g n B)), (proj1 (clip_norm_rows clip H)), D.
Qed.

(** ** linear queries *)

(** [constant] is at least what any row of the domain adds to all queries together. *)
Theorem linear_queries_symmetric T (ok : T -> Prop) g (qs : list (T -> Z)) constant : 0 <= constant ->
  (forall r, ok r -> norm1 (column g qs r) <= constant) ->
  stable (on (Forall ok) symmetric) (l1 g) (fun d => constant * d) (totals qs).
Proof.
  intros H C d x y D; split; [unfold totals; now rewrite !map_length|]. rewrite Rmult_comm.
  now apply (totals_symmetric semi_norm1) with (3 := D).
Qed.

(** [constant] is at least the L1 distance between what any two rows of the domain add. *)
Theorem linear_queries_change_one T (ok : T -> Prop) g (qs : list (T -> Z)) constant : 0 <= constant ->
  (forall r r', ok r -> ok r' -> norm1 (change g qs r r') <= constant) ->
  stable (on (Forall ok) change_one) (l1 g) (fun d => constant * d) (totals qs).
Proof.
  intros H C d x y D; split; [unfold totals; now rewrite !map_length|]. rewrite Rmult_comm.
  now apply (totals_change_one semi_norm1) with (3 := D).
Qed.

(** Queries into [0, 1]: their number will do for both. *)
Theorem unit_queries T (ok : T -> Prop) g (qs : list (T -> Z)) :
  (forall q r, In q qs -> ok r -> 0 <= g * IZR (q r) <= 1) ->
  (forall r, ok r -> norm1 (column g qs r) <= INR (length qs)) /\
  (forall r r', ok r -> ok r' -> norm1 (change g qs r r') <= INR (length qs)).
Proof.
  intros H; split; intros; unfold norm1, column, change; rewrite sum_map;
    rewrite <- (Rmult_1_r (INR (length qs))), <- sum_const with (cs := qs);
  apply sum_le; intros q I; apply Rabs_le.
  - specialize (H q r I H0); lra.
  - pose proof (H q r I H0). pose proof (H q r' I H1). rewrite Rmult_minus_distr_l; lra.
Qed.
