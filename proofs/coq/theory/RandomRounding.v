(** * Random rounding to multiples of a base

    With n grid steps in the base, z is rounded to the multiple of n at or below one of the n points from z on, each equally
    likely: up with the chance of what is left over, (z mod n)/n. So it costs no more than uniform noise on n points. *)
From Coq Require Import Reals Lra Lia List ZArith.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Norms Laplace UniformNoise.
Open Scope R_scope.
Set Implicit Arguments.

Definition rounded (n : positive) (z : Z) : dist Z := bind (uniform_from n z) (fun k => ret (Zpos n * (k / Zpos n))%Z).

Theorem random_rounding n g : 0 < g ->
  private (absolute g) total_variation (rounded n) (fun d => Rmin 1 (d / (g * IZR (Zpos n)))) /\
  private (l1 g) total_variation (noisy (rounded n)) (fun d => Rmin 1 (d / (g * IZR (Zpos n)))).
Proof.
  intros G. assert (P : private (absolute g) total_variation (rounded n) (fun d => Rmin 1 (d / (g * IZR (Zpos n))))).
  { intros d x y D. exact (div_post (ms := total_variation) _ _ _ _ (uniform_from_private n G D)). }
  split; [exact P | apply each_coordinate; [exact G | apply (IZR_lt 0); lia | exact P]].
Qed.
