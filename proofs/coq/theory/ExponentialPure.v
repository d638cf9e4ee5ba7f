(** * The exponential mechanism is pure (McSherry and Talwar 2007)

    Its log-likelihood ratios lie in an interval as long as scores move, in the range; and any such interval holds 0. *)
From Coq Require Import Reals Lra Psatz List ZArith.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Norms BoundedRange Choice.
Open Scope R_scope.
Set Implicit Arguments.

Lemma range_pure A (P Q : dist A) a b eta : in_range P Q a b -> b - a <= eta -> pure P Q eta.
Proof.
  intros H E f F. pose proof (range_around_0 H) as R0. pose proof (H f (test_bounded F) (test_nonneg F)) as [_ K].
  assert (exp b <= exp eta) by (apply exp_le; lra). pose proof (expect_test Q F). nra.
Qed.

Section Exponential.
Variables (g scale : R) (n : nat).
Hypothesis scale_pos : 0 < scale.
Hypothesis some : (0 < n)%nat.

Theorem exponential_pure_range : private (range_distance g) pure (@exponential_mechanism g scale n some) (fun d => d / scale).
Proof. intros d v w D. destruct (@exponential_in_range g scale n scale_pos some d v w D) as (a & b & H & E). now apply range_pure with a b. Qed.

Theorem exponential_pure_linf : private (linf g) pure (@exponential_mechanism g scale n some) (fun d => 2 * d / scale).
Proof. intros d v w D. exact (exponential_pure_range (linf_to_range D)). Qed.
End Exponential.
