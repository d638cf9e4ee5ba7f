(** * Parts by whole numbers one after another, of which the first and how many there are is written *)
From Coq Require Import Reals List ZArith Lia FinFun.
From DPcore Require Import Metrics Partition.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Section Range.
Variables (K T : Type) (eqK : forall a b : K, {a = b} + {a <> b}) (number : Z -> K).
Hypothesis told_apart : forall i j, number i = number j -> i = j.

(** The keys: so many numbers from the first on. *)
Definition numbers (first : Z) (many : nat) : list K := map (fun i => number (first + Z.of_nat i)) (seq 0 many).

Lemma numbers_differ first many : NoDup (numbers first many).
Proof. apply Injective_map_NoDup; [|apply seq_NoDup]. intros i j E. apply told_apart in E. lia. Qed.

Theorem partition_range_symmetric first many (key : T -> K) :
  stable symmetric (parts_symmetric (numbers first many)) (fun d => d) (partition eqK key).
Proof. exact (partition_symmetric eqK (numbers_differ first many) key). Qed.

Theorem partition_range_change_one first many (key : T -> K) :
  stable change_one (parts_change_one (numbers first many)) (fun d => d) (partition eqK key).
Proof. exact (partition_change_one eqK (numbers_differ first many) key). Qed.
End Range.
