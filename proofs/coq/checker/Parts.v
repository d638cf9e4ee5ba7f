(** * Parallel composition: one measurement for each part *)
From Coq Require Import String List ZArith QArith Qreals Reals Lra Lia Bool.
From DPcore Require Import Distributions Measures Metrics Totals Steps RowStability Combinators Partition Parallel.
From DPchecker Require Import Language Ordered Meaning Numbers Distances Losses Worst.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Section Parts.
Variable I : interpretation.
Notation data := (data I).
Notation release := (dist (released (users I))).

Lemma index_In k ks : In k ks -> (index k ks < length ks)%nat.
Proof.
  induction ks as [|a ks IH]; simpl; [tauto|]. intros [->|J].
  - assert (constant_eqb k k = true) as -> by now apply constant_eqb_eq. lia.
  - destruct (constant_eqb a k); [lia | specialize (IH J); lia].
Qed.

Lemma constants_eqb_eq k l : constants_eqb k l = true -> k = l.
Proof.
  unfold constants_eqb. revert l; induction k as [|a k IH]; intros [|b l] H; simpl in H; try discriminate; [reflexivity|].
  apply andb_prop in H. destruct H as [L H]. apply andb_prop in H. destruct H as [E H]. simpl in E.
  apply constant_eqb_eq in E. subst. f_equal. apply IH. apply andb_true_iff; split; auto.
Qed.

Lemma of_parts_again fs d d' a b D E ks ls p q : known (of_rows fs) d (Parts D ks p : data) (Parts E ls q) -> known (of_rows fs) d' (Rows D a : data) (Rows E b).
Proof.
  unfold of_rows. destruct (domain_of fs) as [F|]; [|constructor]. intros K. inversion K; subst. constructor; [|constructor]. exact H1.
Qed.
Lemma of_rows_parts fs d a b D E ks ls : known fs d (Parts D ks a : data) (Parts E ls b) -> known (of_rows fs) d (Parts D ks a : data) (Parts E ls b).
Proof.
  unfold of_rows, domain_of. intros K. destruct (find _ fs) as [f|] eqn:F; [|constructor]. apply find_some in F. destruct F as [J F].
  destruct f; try discriminate. constructor; [|constructor]. unfold known in K; rewrite Forall_forall in K. exact (K _ J).
Qed.

(** What the measurement of a part costs where its rows move by one step, at a point; and that it does not see their order. *)
Definition costs (mt : Metrics.metric (list (row I))) m D n pt l := nonneg_loss l /\
  forall a b, mt 1 a b -> meets m (Q2R pt) (denote n (Rows D a : data)) (denote n (Rows D b)) (real m l).
Definition orderless D n := respects symmetric (fun a => denote n (Rows D a : data) : release).

Section Part.
Variables (ps : list node) (rest : list (data -> release)) (keys : list constant) (D : domain) (m : measure) (pt : Q).
Hypothesis keys_distinct : NoDup keys.
Hypothesis many : length keys = length ps.
Hypothesis orders : Forall (orderless D) ps.
Notation M := (in_part (map (denote (I := I)) ps ++ rest) keys D).
Definition premise (k : constant) : node := nth (index k keys) ps (Tree Chain []).

Lemma in_part_premise k x : In k keys -> M k x = denote (premise k) (Rows D x).
Proof.
  intros J. apply index_In in J. unfold in_part, premise. rewrite app_nth1 by (rewrite map_length; lia).
  rewrite nth_indep with (d' := denote (Tree Chain [])) by (rewrite map_length; lia). now rewrite map_nth.
Qed.

Lemma many_of (P : node -> loss -> Prop) qs ks : Forall2 P qs ks -> length ks = length qs.
Proof. induction 1; simpl; congruence. Qed.

Lemma nth_ok (P : node -> loss -> Prop) ls : Forall2 P ps ls -> forall i, (i < length ps)%nat ->
  In (nth i ls zero_loss) ls /\ P (nth i ps (Tree Chain [])) (nth i ls zero_loss).
Proof.
  clear many orders. induction 1 as [|p l ps' ls' H _ IH]; intros i Li; simpl in Li; [lia|].
  destruct i as [|i]; [simpl; auto|]. specialize (IH i ltac:(lia)). simpl. tauto.
Qed.

Lemma at_key_orderless k : In k keys -> respects symmetric (M k).
Proof.
  intros J a b S. rewrite !in_part_premise by exact J. rewrite Forall_forall in orders. apply orders; [|exact S].
  apply nth_In. rewrite <- many. now apply index_In.
Qed.
Lemma parallel_same a b : (forall k, In k keys -> symmetric 0 (a k) (b k)) -> same (parallel M keys a) (parallel M keys b).
Proof. intros S. apply each_same. intros k J. apply at_key_orderless; auto. Qed.

Variable ls : list loss.
Hypothesis moved : Forall2 (fun n l => costs symmetric m D n pt l) ps ls.
Definition loss_of (k : constant) : loss := nth (index k keys) ls zero_loss.

Lemma at_key k : In k keys -> In (loss_of k) ls /\ nonneg_loss (loss_of k) /\
  (forall a b, symmetric 1 a b -> meets m (Q2R pt) (M k a) (M k b) (real m (loss_of k))).
Proof.
  intros J. pose proof (index_In J) as L. rewrite many in L. destruct (nth_ok moved L) as (A1 & A2 & A3).
  split; [exact A1|]. split; [exact A2|]. intros a b S. rewrite !in_part_premise by exact J. now apply A3.
Qed.

Lemma parallel_close a b : m <> MTradeoff -> parts_symmetric keys 1 a b ->
  meets m (Q2R pt) (parallel M keys a) (parallel M keys b) (real m (worst ls)).
Proof.
  intros N S. pose proof (divergence_of (Q2R pt) N) as Div.
  pose proof (@parallel_symmetric_step constant (row I) _ constant_dec keys keys_distinct _ _ (meets m (Q2R pt)) _ M
    (fun k => real m (loss_of k)) at_key_orderless (fun k J => proj2 (proj2 (at_key J))) a b S) as P.
  apply meets_le with (2 := P). unfold most_moved.
  apply largest_le; [apply real_nonneg, worst_nonneg|]. intros l J. apply in_map_iff in J. destruct J as (k & <- & J).
  apply real_le, worst_ge, (at_key J).
Qed.

(** Rows replaced. *)
Variable cs : list loss.
Hypothesis changed : Forall2 (fun n l => costs change_one m D n pt l) ps cs.
Definition change_of (k : constant) : loss := nth (index k keys) cs zero_loss.

Lemma at_key_changed k : In k keys -> In (change_of k) cs /\ (forall a b, change_one 1 a b -> meets m (Q2R pt) (M k a) (M k b) (real m (change_of k))).
Proof.
  intros J. pose proof (index_In J) as L. rewrite many in L. destruct (nth_ok changed L) as (A1 & A2 & A3).
  split; [exact A1|]. intros u v S. rewrite !in_part_premise by exact J. now apply A3.
Qed.

Lemma index_nth k : In k keys -> nth (index k keys) keys k = k.
Proof.
  clear. induction keys as [|a ks IH]; simpl; [tauto|]. intros [->|J].
  - assert (constant_eqb k k = true) as -> by now apply constant_eqb_eq. reflexivity.
  - destruct (constant_eqb a k) eqn:E; [now apply constant_eqb_eq in E | now apply IH].
Qed.

Lemma two_parts i j : In i keys -> In j keys -> i <> j -> le (plus (real m (loss_of i)) (real m (loss_of j))) (real m (worst_two ls)).
Proof.
  intros Ji Jj N.
  assert (Li : length ls = length keys) by (rewrite many; apply (many_of moved)).
  assert (D' : index i keys <> index j keys).
  { intros E. apply N. rewrite <- (index_nth Ji), <- (index_nth Jj). rewrite E. apply nth_indep. rewrite <- E. now apply index_In. }
  apply index_In in Ji, Jj.
  assert (T : forall f : loss -> Q, f zero_loss = 0%Q -> Q2R (f (loss_of i)) + Q2R (f (loss_of j)) <= Q2R (fst (two (map f ls))) + Q2R (snd (two (map f ls)))).
  { intros f f0. destruct (two_ok (map f ls)) as (_ & _ & P). specialize (P _ _ D'). rewrite map_length in P.
    specialize (P ltac:(lia) ltac:(lia)). rewrite <- f0, !map_nth in P. exact P. }
  unfold worst_two. destruct m; simpl; rewrite ?Q2R_plus.
  2, 9: split; [exact (T fst eq_refl) | exact (T snd eq_refl)].
  all: exact (T fst eq_refl).
Qed.

Lemma parallel_change_close a b : adds m = true -> parts_change_one keys 1 a b ->
  meets m (Q2R pt) (parallel M keys a) (parallel M keys b) (real m (worst (worst_two ls :: cs))).
Proof.
  intros C S. pose proof (composes_of m (Q2R pt) C) as Comp. assert (N : m <> MTradeoff) by (intros ->; discriminate).
  pose proof (divergence_of (Q2R pt) N) as Div.
  assert (Z : forall k, In k keys -> le zero (real m (loss_of k))) by (intros k J; apply real_nonneg, (at_key J)).
  pose proof (@parallel_change_one_step constant (row I) _ constant_dec keys keys_distinct _ _ (meets m (Q2R pt)) _ M
    (fun k => real m (loss_of k)) at_key_orderless (fun k J => proj2 (proj2 (at_key J))) _
    (fun k => real m (change_of k)) (fun k J => proj2 (at_key_changed J)) Z a b S) as P.
  apply meets_le with (2 := P). unfold most_changed.
  apply largest_le; [apply real_nonneg, worst_nonneg|]. intros l J.
  assert (W2 : at_most (worst_two ls) (worst (worst_two ls :: cs))) by (apply worst_ge; now left).
  apply in_app_or in J. destruct J as [J|J]; [|apply in_app_or in J; destruct J as [J|J]].
  - apply in_map_iff in J. destruct J as (k & <- & J). apply real_le, worst_ge. right. apply (at_key_changed J).
  - apply in_map_iff in J. destruct J as (k & <- & J). apply le_trans with (real m (worst_two ls)); [|now apply real_le].
    apply real_le. destruct (at_key J) as (Jl & _).
    destruct (two_ok (map fst ls)) as (F1 & F2 & _), (two_ok (map snd ls)) as (G1 & G2 & _).
    specialize (F2 _ (in_map fst _ _ Jl)). specialize (G2 _ (in_map snd _ _ Jl)).
    unfold at_most, worst_two. cbn [fst snd]. rewrite !Q2R_plus. lra.
  - apply in_map_iff in J. destruct J as ((i, j) & <- & J). apply filter_In in J. destruct J as [J N']. apply in_prod_iff in J. destruct J as [Ji Jj].
    simpl in N'. destruct (constant_dec i j) as [|N'']; [discriminate|]. cbn [fst snd].
    apply le_trans with (real m (worst_two ls)); [now apply two_parts | now apply real_le].
Qed.
End Part.

(** The same on every part. *)
Section Alike.
Variables (p : node) (keys : list constant) (D : domain) (m : measure) (pt : Q).
Hypothesis keys_distinct : NoDup keys.
Hypothesis orders : orderless D p.
Notation M := (fun (_ : constant) (x : list (row I)) => denote p (Rows D x : data)).

Lemma alike_same a b : (forall k, In k keys -> symmetric 0 (a k) (b k)) -> same (parallel M keys a) (parallel M keys b).
Proof. intros S. apply each_same. intros k J. now apply orders, S. Qed.

Variable l : loss.
Hypothesis moved : costs symmetric m D p pt l.

Lemma alike_close a b : m <> MTradeoff -> parts_symmetric keys 1 a b -> meets m (Q2R pt) (parallel M keys a) (parallel M keys b) (real m l).
Proof.
  intros N S. pose proof (divergence_of (Q2R pt) N) as Div.
  pose proof (@parallel_symmetric_step constant (row I) _ constant_dec keys keys_distinct _ _ (meets m (Q2R pt)) _ M
    (fun _ => real m l) (fun _ _ => orders) (fun _ _ => proj2 moved) a b S) as P.
  apply meets_le with (2 := P). unfold most_moved. apply largest_le; [apply real_nonneg, moved|].
  intros k J. apply in_map_iff in J. destruct J as (? & <- & _). apply le_refl.
Qed.

Variable c : loss.
Hypothesis changed : costs change_one m D p pt c.

Lemma alike_change_close a b : adds m = true -> parts_change_one keys 1 a b ->
  meets m (Q2R pt) (parallel M keys a) (parallel M keys b) (real m (larger (doubled l) c)).
Proof.
  intros C S. pose proof (composes_of m (Q2R pt) C) as Comp. assert (N : m <> MTradeoff) by (intros ->; discriminate).
  pose proof (divergence_of (Q2R pt) N) as Div. destruct moved as [[N1 N2] Mv].
  assert (Z : le zero (real m l)) by (apply real_nonneg; now split).
  pose proof (@parallel_change_one_step constant (row I) _ constant_dec keys keys_distinct _ _ (meets m (Q2R pt)) _ M
    (fun _ => real m l) (fun _ _ => orders) (fun _ _ => Mv) _ (fun _ => real m c) (fun _ _ => proj2 changed) (fun _ _ => Z) a b S) as P.
  apply meets_le with (2 := P). unfold most_changed.
  assert (W : at_most (doubled l) (larger (doubled l) c) /\ at_most c (larger (doubled l) c)).
  { unfold at_most, larger. cbn [fst snd]. rewrite !Q2R_max. repeat split; first [apply Rmax_l | apply Rmax_r]. }
  destruct W as [Wl Wc].
  assert (Once : le (real m l) (real m (doubled l))).
  { apply real_le. unfold at_most, doubled. cbn [fst snd]. rewrite !Q2R_red, !Q2R_plus. lra. }
  assert (Twice : le (plus (real m l) (real m l)) (real m (doubled l))).
  { unfold doubled. destruct m; simpl; rewrite ?Q2R_red, ?Q2R_plus; try (split; apply Rle_refl); apply Rle_refl. }
  apply largest_le; [apply le_trans with (1 := Z); apply le_trans with (1 := Once); now apply real_le|].
  intros k J. apply in_app_or in J. destruct J as [J|J]; [|apply in_app_or in J; destruct J as [J|J]]; apply in_map_iff in J; destruct J as (? & <- & _).
  - now apply real_le.
  - apply le_trans with (1 := Once). now apply real_le.
  - apply le_trans with (1 := Twice). now apply real_le.
Qed.
End Alike.

Lemma parts_change_one_0 (keys : list constant) (a b : constant -> list (row I)) : NoDup keys -> parts_change_one keys 0 a b ->
  forall k, In k keys -> symmetric 0 (a k) (b k).
Proof.
  intros ND (ls & rs & E & S) k J. apply (INR_le _ 0) in S. pose proof (E k J) as F.
  rewrite (size_0 ND ls ltac:(lia) k J), (size_0 ND rs ltac:(lia) k J) in F. exists [], []; split; [exact F | simpl; lra].
Qed.

Lemma parts_symmetric_0 (keys : list constant) (a b : constant -> list (row I)) : NoDup keys -> parts_symmetric keys 0 a b ->
  forall k, In k keys -> symmetric 0 (a k) (b k).
Proof.
  intros ND (ls & rs & E & S) k J. apply (INR_le _ 0) in S. pose proof (E k J) as F.
  rewrite (size_0 ND ls ltac:(lia) k J), (size_0 ND rs ltac:(lia) k J) in F. exists [], []; split; [exact F | simpl; lra].
Qed.
End Parts.
