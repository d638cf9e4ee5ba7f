(** * Composition and parallel composition of GaussianDP *)
From Coq Require Import Reals List.
From DPcore Require Import Distributions Measures Metrics Norms Combinators Partition Parallel Composition ParallelRules GaussianDP
  GaussianComposition.
Open Scope R_scope.
Set Implicit Arguments.

(** ** Composition: mu squared adds up *)
Theorem compose_gaussian X A (m : metric X) (Ms : list (X -> dist A)) (ls : list (R -> R)) :
  Forall2 (private m gaussian) Ms ls -> private m gaussian (all Ms) (fun d => sum (fun l => l d) ls).
Proof. intros H d x y K. rewrite <- plus_all_numbers. exact (compose H d x y K). Qed.

Theorem adaptive_gaussian X A (m : metric X) (choose : list A -> X -> dist A) (ls : list R) :
  whole m -> (forall seen, respects m (choose seen)) -> Forall (fun l => 0 <= l) ls ->
  (forall seen l, nth_error ls (length seen) = Some l -> private_at m gaussian (choose seen) 1 l) ->
  private m gaussian (adaptive (length ls) choose nil) (fun d => d * d * sum (fun l => l) ls).
Proof. intros W Z N H. rewrite <- plus_all_number. exact (@adaptive_lift _ _ _ _ gaussian _ _ _ m ls choose W N Z H). Qed.

Theorem general_composition_gaussian X A (m : metric X) (joint : list (list R)) (ps : list (prepared X A R)) :
  whole m -> prepared_for m joint gaussian ps ->
  private m gaussian (all (map prepare ps)) (fun d => d * d * top (map (fun v => sum (fun l => l) (losses_at ps v)) joint)).
Proof.
  intros W (Z & H & J). rewrite <- cost_number. exact (@general_composition _ _ _ _ gaussian _ _ _ m ps joint W Z H J).
Qed.

(** ** Parallel composition *)
Theorem parallel_symmetric_gaussian K T A (eqK : forall a b : K, {a = b} + {a <> b}) (ks : list K) (M : K -> list T -> dist A)
  (loss : K -> R) : NoDup ks -> (forall k, In k ks -> respects symmetric (M k)) ->
  (forall k, In k ks -> private_at symmetric gaussian (M k) 1 (loss k)) ->
  private (parts_symmetric ks) gaussian (parallel M ks) (fun d => d * d * top (map loss ks)).
Proof. intros N Z. exact (@parallel_symmetric_at K T A eqK ks N _ _ gaussian _ _ M loss Z). Qed.

Theorem parallel_change_one_gaussian K T A (eqK : forall a b : K, {a = b} + {a <> b}) (ks : list K) (M : K -> list T -> dist A)
  (loss change : K -> R) : NoDup ks -> (forall k, In k ks -> respects symmetric (M k)) ->
  (forall k, In k ks -> private_at symmetric gaussian (M k) 1 (loss k)) /\
  (forall k, In k ks -> private_at change_one gaussian (M k) 1 (change k)) ->
  (forall k, In k ks -> 0 <= loss k) ->
  private (parts_change_one ks) gaussian (parallel M ks) (fun d => d * d * worst eqK ks change loss).
Proof. intros N Z [H C]. exact (@parallel_change_one_at K T A eqK ks N _ _ gaussian _ _ M loss Z H _ change C). Qed.
