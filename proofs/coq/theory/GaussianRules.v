(** * Composition and parallel composition of GaussianDP *)
From Coq Require Import Reals List.
From DPcore Require Import Distributions Measures Metrics Norms Combinators Partition Parallel ParallelRules GaussianDP.
Open Scope R_scope.
Set Implicit Arguments.

Theorem parallel_symmetric_gaussian K T A (eqK : forall a b : K, {a = b} + {a <> b}) (ks : list K) (M : K -> list T -> dist A)
  (loss : K -> R) : NoDup ks -> (forall k, In k ks -> respects symmetric (M k)) ->
  (forall k, In k ks -> private_at symmetric gaussian (M k) 1 (loss k)) ->
  private (parts_symmetric ks) gaussian (parallel M ks) (fun d => d * d * top (map loss ks)).
Proof. intros N Z. exact (@parallel_symmetric_at K T A eqK ks N _ _ gaussian _ _ M loss Z). Qed.

