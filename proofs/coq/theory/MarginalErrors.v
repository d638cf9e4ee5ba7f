(** * How far guesses of whole marginals are off

    A marginal is a histogram; its error is how far a guess of its counts is off, summed over all bins. A row that comes or
    goes moves one bin of each marginal by 1, and so none of these errors by more than 1, however many marginals there are. *)
From Coq Require Import Reals Lra Lia List ZArith.
From DPcore Require Import Distributions Measures Metrics Norms Totals Histograms ManyQueries.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Definition added (v : list Z) : Z := fold_right Z.add 0%Z v.

(** A sum over coordinates moves no further than the vector in L1. *)
Lemma added_l1 v : forall w, length v = length w -> Rabs (IZR (added w) - IZR (added v)) <= norm1 (moves 1 v w).
Proof.
  induction v as [|a v IH]; intros [|b w] L; try discriminate.
  - unfold Rminus. simpl added. rewrite Rplus_opp_r, Rabs_R0. apply norm1_nonneg.
  - injection L as L. specialize (IH w L). unfold norm1 in *; simpl. rewrite !plus_IZR, Rmult_1_l.
    replace (IZR b + IZR (added w) - (IZR a + IZR (added v))) with ((IZR b - IZR a) + (IZR (added w) - IZR (added v))) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat_l. exact IH.
Qed.

Section Marginals.
Variables (T B : Type) (eqB : forall a b : B, {a = b} + {a <> b}).

(** In which bin a row falls, the bins, and how many rows are guessed to be in each. *)
Record marginal := { falls_in : T -> B; its_bins : list B; its_guess : list Z }.

Definition marginal_error (m : marginal) (x : list T) : Z := added (errors (its_guess m) (histogram eqB (falls_in m) (its_bins m) x)).
Definition marginal_errors (ms : list marginal) (x : list T) : list Z := map (fun m => marginal_error m x) ms.

Lemma marginal_error_symmetric m d x y : NoDup (its_bins m) -> symmetric d x y ->
  Rabs (IZR (marginal_error m y) - IZR (marginal_error m x)) <= d.
Proof.
  intros N D. destruct (histogram_symmetric eqB (falls_in m) N) as (H & _ & _). apply H in D. destruct D as [L D].
  eapply Rle_trans; [apply added_l1; now rewrite !errors_length|].
  eapply Rle_trans; [apply shorter_norm1, errors_shorter, L | exact D].
Qed.

Theorem marginal_errors_symmetric ms : (forall m, In m ms -> NoDup (its_bins m)) ->
  stable symmetric (linf 1) (fun d => d) (marginal_errors ms).
Proof.
  intros N d x y D. unfold marginal_errors. split; [now rewrite !map_length|].
  apply norm_inf_le; split; [exact (within_nonneg _ _ _ _ D)|].
  rewrite moves_map. intros u J. apply in_map_iff in J. destruct J as (m & <- & J).
  rewrite Rmult_1_l. apply marginal_error_symmetric; auto.
Qed.
End Marginals.
