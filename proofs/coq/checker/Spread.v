(** * Noise that is spread over so many points of a grid: one line for each rule in each of five places, all of them here

    A rule of this kind adds noise to a number or to each coordinate of a vector, is told one whole number from 1 on beside the step of the grid, and costs
    [min 1 (d / (step points))] in total variation. The checker reads, follows and judges all of them alike. *)
From Coq Require Import String List ZArith Reals.
From DPcore Require Import Distributions Measures Metrics Norms Laplace UniformNoise RandomRounding.
Import ListNotations.
Open Scope string_scope.
Set Implicit Arguments.

Inductive spread := Uniform | Rounding.
Definition spreads : list spread := [Uniform; Rounding].

(** The name of the rule, that of its whole number, and over how many points it spreads. *)
Record line := { called : string; counted : string; wide : positive -> positive }.
Definition line_of (s : spread) : line :=
  match s with
  | Uniform => {| called := "uniform_noise"; counted := "reach"; wide := fun n => (2 * n + 1)%positive |}
  | Rounding => {| called := "random_rounding"; counted := "width"; wide := fun n => n |}
  end.

Definition spread_noise (s : spread) : positive -> Z -> dist Z :=
  match s with
  | Uniform => uniformly
  | Rounding => rounded
  end.

Theorem spread_private s n g : (0 < g)%R -> let loss d := (Rmin 1 (d / (g * IZR (Zpos (wide (line_of s) n)))))%R in
  private (absolute g) total_variation (spread_noise s n) loss /\ private (l1 g) total_variation (noisy (spread_noise s n)) loss.
Proof.
  destruct s.
  - exact (@uniform_noise n g).
  - exact (@random_rounding n g).
Qed.

Definition spread_eqb (s t : spread) : bool := String.eqb (called (line_of s)) (called (line_of t)).
Lemma spread_eq s t : spread_eqb s t = true -> s = t. Proof. destruct s, t; reflexivity || discriminate. Qed.
