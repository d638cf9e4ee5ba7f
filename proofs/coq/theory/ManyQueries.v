(** * Many queries in LInf, and how far off guesses of their answers are

    A row adds to each linear query a value from 0 to 1, so it moves no answer by more than 1, however many there are. The
    errors of a guess follow the answers: [| |a - c| - |b - c| | <= |a - b|]. *)
From Coq Require Import Reals Lra Psatz Lia List ZArith.
From DPcore Require Import Distributions Measures Metrics Norms Totals Sums.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** ** Linear queries *)
Section Queries.
Variables (T : Type) (ok : T -> Prop) (g : R) (qs : list (T -> Z)).
Hypothesis unit : forall q r, In q qs -> ok r -> 0 <= g * IZR (q r) <= 1.

Theorem linear_queries_linf_symmetric : stable (on (Forall ok) symmetric) (linf g) (fun d => d) (totals qs).
Proof.
  intros d x y D; split; [unfold totals; now rewrite !map_length|]. replace d with (d * 1) by ring.
  apply (totals_symmetric semi_norm_inf) with (3 := D); [lra|]. intros r K. apply norm_inf_le; split; [lra|].
  intros u I. unfold column in I. apply in_map_iff in I. destruct I as (q & <- & I).
  specialize (unit _ I K). apply Rabs_le. lra.
Qed.

Theorem linear_queries_linf_change_one : stable (on (Forall ok) change_one) (linf g) (fun d => d) (totals qs).
Proof.
  intros d x y D; split; [unfold totals; now rewrite !map_length|]. replace d with (d * 1) by ring.
  apply (totals_change_one semi_norm_inf) with (3 := D); [lra|]. intros r r' K K'. apply norm_inf_le; split; [lra|].
  intros u I. unfold change in I. apply in_map_iff in I. destruct I as (q & <- & I).
  pose proof (unit _ I K). pose proof (unit _ I K'). rewrite Rmult_minus_distr_l. apply Rabs_le. lra.
Qed.
End Queries.

(** ** Errors of a guess *)

(** What was not guessed counts as guessed to be nought. *)
Fixpoint errors (guess v : list Z) : list Z :=
  match v, guess with
  | [], _ => []
  | a :: v, [] => Z.abs a :: errors [] v
  | a :: v, c :: guess => Z.abs (a - c) :: errors guess v
  end.

Lemma errors_length guess v : length (errors guess v) = length v.
Proof. revert guess; induction v as [|a v IH]; intros [|c guess]; simpl; auto. Qed.

(** No coordinate moves further than it did. *)
Definition shorter (u w : list R) : Prop := Forall2 (fun a b => Rabs a <= Rabs b) u w.

Lemma follows g a b c : Rabs (g * (IZR (Z.abs (b - c)) - IZR (Z.abs (a - c)))) <= Rabs (g * (IZR b - IZR a)).
Proof.
  rewrite !Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos|]. rewrite <- !minus_IZR, <- !abs_IZR. apply IZR_le. lia.
Qed.

Lemma errors_shorter g guess v w : length v = length w -> shorter (moves g (errors guess v) (errors guess w)) (moves g v w).
Proof.
  revert guess w; induction v as [|a v IH]; intros guess [|b w] L; try discriminate; [constructor|].
  injection L as L. destruct guess as [|c guess]; constructor; try (apply IH; exact L); simpl fst; simpl snd; [|apply follows].
  pose proof (follows g a b 0) as F. now rewrite !Z.sub_0_r in F.
Qed.

Lemma shorter_norm1 u w : shorter u w -> norm1 u <= norm1 w.
Proof. induction 1; unfold norm1 in *; simpl; lra. Qed.
Lemma shorter_norm2 u w : shorter u w -> norm2_squared u <= norm2_squared w.
Proof.
  induction 1 as [|a b u w H _ IH]; unfold norm2_squared in *; simpl; [lra|]. apply Rsqr_le_abs_1 in H. unfold Rsqr in H. lra.
Qed.
Lemma shorter_norm_inf u w : shorter u w -> norm_inf u <= norm_inf w.
Proof.
  induction 1 as [|a b u w H _ IH]; unfold norm_inf in *; simpl; [lra|].
  apply Rmax_lub; [eapply Rle_trans; [exact H | apply Rmax_l] | eapply Rle_trans; [exact IH | apply Rmax_r]].
Qed.

(** The error of one guess. *)
Definition error (c a : Z) : Z := Z.abs (a - c).

Theorem absolute_errors g guess : stable (l1 g) (l1 g) (fun d => d) (errors guess) /\
  stable (l2 g) (l2 g) (fun d => d) (errors guess) /\ stable (linf g) (linf g) (fun d => d) (errors guess) /\
  forall c, stable (absolute g) (absolute g) (fun d => d) (error c).
Proof.
  split; [|split; [|split]]; [| | | intros c d a b K; unfold error; eapply Rle_trans; [apply follows | exact K]];
  intros d v w [L K]; (split; [now rewrite !errors_length|]); (eapply Rle_trans; [|exact K]);
  [apply shorter_norm1 | apply shorter_norm2 | apply shorter_norm_inf]; now apply errors_shorter.
Qed.
