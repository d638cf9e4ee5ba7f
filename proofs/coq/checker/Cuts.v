(** * From a trade-off curve to a profile

    [P f - e^x Q f] is at most [1 - beta(b) - e^x a] where Q f lies between a and b: the largest of that over the intervals that
    some cuts leave of [0, 1], and zero. *)
From Coq Require Import ZArith QArith Qreals Reals Lra Lia List.
From DPcore Require Import Distributions Indistinguishability Measures Conversions.
From DPchecker Require Import Json Language Numbers Exponentials Losses Rounding Points Mixed Highest Slopes.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

(** An interval: the power there, [1 - beta(b)], at most; and where it begins. *)
Definition interval : Type := Q * Q.
Definition gain (y : Q) (i : interval) : Q := minus (fst i) (y * snd i).
Definition slope_at (n : Z) (i : interval) : slope := slope_of n (fst i) (snd i).

Fixpoint intervals (low : Q) (ends : list Q) (ls : list loss) : option (list interval) :=
  match ends, ls with
  | [], [] => Some []
  | b :: ends, l :: ls => let* _ := guard (Qle_bool low b) in let* is := intervals b ends ls in Some ((plus b (fst l), low) :: is)
  | _, _ => None
  end.

Definition delta_at (md : mode) (ts : list (tree interval slope)) (x : Q) : option loss :=
  let n := units md in let* y := exp_down x in
  Some (delta_above md (highest (slope_at n) n (at_height n (floor_of n y)) (gain y) 0 ts), 0%Q).

(** The cuts rise, from 0 to 1. *)
Definition tradeoff_to_profile (md : mode) (alphas : list Q) (ls : list loss) (xs : list Q) : option (list loss) :=
  let* is := intervals 0 (alphas ++ [1%Q]) ls in let ts := planted (slope_at (units md)) over_both is in all_of (delta_at md ts) xs.

(** ** Soundness *)
Section Sound.
Variable md : mode.
Notation n := (units md).

Lemma intervals_low low ends ls is : intervals low ends ls = Some is -> Forall (fun i => Q2R low <= Q2R (snd i)) is.
Proof.
  revert low ls is. induction ends as [|b ends IH]; intros low [|l ls] is H; simpl in H; try discriminate; [injection H as <-; constructor|].
  unfold bind_option, guard in H. destruct (Qle_bool low b) eqn:L; [|discriminate]. destruct (intervals b ends ls) as [js|] eqn:E; [|discriminate].
  injection H as <-. apply Qle_R in L. constructor; [simpl; lra|]. specialize (IH _ _ _ E). revert IH; apply Forall_impl. intros; lra.
Qed.

(** Wherever a false-positive rate lies, it lies in an interval. *)
Lemma intervals_cover A (P Q : dist A) f low ends ls is : test f -> intervals low ends ls = Some is ->
  Forall2 (fun b l => meets MTradeoff (Q2R b) Q P (Q2R (fst l))) ends ls -> Q2R low <= Q f <= Q2R (last ends low) ->
  ends = [] \/ exists i, In i is /\ Q2R (snd i) <= Q f /\ P f <= Q2R (fst i).
Proof.
  intros F. revert low ls is. induction ends as [|b ends IH]; intros low ls is H M I; [now left|]. right.
  inversion M as [|? l ? ls' M1 M2]; subst. simpl in H. unfold bind_option, guard in H.
  destruct (Qle_bool low b) eqn:L; [|discriminate]. destruct (intervals b ends ls') as [js|] eqn:E; [|discriminate]. injection H as <-.
  destruct (Rle_dec (Q f) (Q2R b)) as [K|K].
  - eexists; split; [now left|]. cbn [fst snd]. split; [apply I|]. rewrite plus_ok. now apply M1.
  - apply Rnot_le_lt in K. assert (S : forall (c : QArith_base.Q) cs u v, last (c :: cs) u = last (c :: cs) v).
    { intros c cs; revert c; induction cs as [|d ds IHc]; intros c u v; [reflexivity|]. exact (IHc d u v). }
    destruct ends as [|c ends]; [simpl in I; lra|].
    destruct (IH b ls' js E M2) as [Z|(i & J & B)]; [|discriminate|exists i; split; [now right | exact B]].
    rewrite (S c ends b low). split; [lra | apply I].
Qed.

Lemma gain_over y (i : interval) : 0 <= Q2R y -> 0 <= Q2R (snd i) ->
  Q2R (gain y i) * IZR (2 ^ n) <= IZR (at_height n (floor_of n y) (slope_at n i)).
Proof.
  intros Y I. unfold gain, slope_at. rewrite minus_ok, Q2R_mult, Rmult_comm with (r1 := Q2R y). apply slope_over; auto using units_nonneg.
Qed.

Lemma delta_at_ok A (P Q : dist A) alphas ls is x k : intervals 0 (alphas ++ [1%Q]) ls = Some is ->
  delta_at md (planted (slope_at n) over_both is) x = Some k -> nonneg_loss k /\
  (Forall2 (fun b l => meets MTradeoff (Q2R b) Q P (Q2R (fst l))) (alphas ++ [1%Q]) ls -> meets MProfile (Q2R x) P Q (Q2R (fst k))).
Proof.
  intros E. unfold delta_at, bind_option. cbv zeta. destruct (exp_down x) as [y|] eqn:Y; [|discriminate]. intros H; injection H as <-.
  apply exp_down_ok in Y. destruct Y as [Y0 Y]. pose proof (units_nonneg md) as N. pose proof (floor_of_nonneg N Y0) as W.
  assert (G : Forall (fun i => 0 <= Q2R (snd i)) is) by (rewrite <- Q2R_0; exact (intervals_low _ _ _ E)).
  destruct (@highest_ok _ _ (slope_at n) over_both n (at_height n (floor_of n y)) (gain y) N _ (fun i => gain_over i Y0)
    (fun a b => over_both_ok N a b W) 0%Q is G) as (H0 & Hi & _). rewrite Q2R_0 in H0.
  set (h := highest _ _ _ _ _ _) in *. pose proof (delta_above_ok md h) as S. split; [apply nonneg_figure; lra|].
  intros M X f F. cbn [fst]. pose proof (expect_test P F). pose proof (expect_test Q F).
  assert (L : last (alphas ++ [1%Q]) 0%Q = 1%Q) by (clear; induction alphas as [|a [|b bs] IH]; auto).
  destruct (intervals_cover F E M) as [Z|(i & J & A1 & A2)]; [rewrite L, Q2R_0, Q2R_1; lra | destruct alphas; discriminate|].
  specialize (Hi i J). unfold gain in Hi. rewrite minus_ok, Q2R_mult in Hi. rewrite Forall_forall in G. specialize (G i J). cbv beta in G.
  assert (Q2R y * Q2R (snd i) <= exp (Q2R x) * Q f) by (apply Rmult_le_compat; lra). lra.
Qed.

Theorem tradeoff_to_profile_ok A (P Q : dist A) alphas ls xs ks : tradeoff_to_profile md alphas ls xs = Some ks ->
  Forall nonneg_loss ks /\ length xs = length ks /\
  (Forall2 (fun b l => meets MTradeoff (Q2R b) Q P (Q2R (fst l))) (alphas ++ [1%Q]) ls ->
    Forall2 (fun x k => meets MProfile (Q2R x) P Q (Q2R (fst k))) xs ks).
Proof.
  unfold tradeoff_to_profile, bind_option. destruct (intervals 0 _ ls) as [is|] eqn:E; [|discriminate]. cbv zeta. intros H. apply all_of_ok in H.
  pose proof (fun x k => @delta_at_ok A P Q alphas ls is x k E) as D. split; [|split].
  - apply Forall2_Forall_r with (2 := H). intros x k K. exact (proj1 (D x k K)).
  - exact (Forall2_lengths H).
  - intros M. apply Forall2_weaken with (2 := H). intros x k K. now apply (D x k K).
Qed.
End Sound.
