(** * Group privacy: the loss at distance [d], from that of one step *)
From Coq Require Import ZArith QArith Qreals Reals Lra Lia List Bool Psatz.
From DPcore Require Import Distributions Indistinguishability Measures Metrics Combinators Renyi GaussianDP.
From DPchecker Require Import Json Language Meaning Numbers Exponentials Losses Rounding Points.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.

Definition geometric_above (d e : Q) : option Q :=
  if Qeq_bool e 0 then Some d
  else if Qeq_bool d 0 then Some 0%Q
  else if Qlt_bool 8000 (d * e) then None
  else match exp_above (d * e) with
       | Some u => let v := (exp_below e - 1)%Q in if Qle_bool v 0 then None else Some ((u - 1) / v)%Q
       | None => None end.

Lemma geometric_above_ok d e g : 0 <= Q2R d -> 0 <= Q2R e -> geometric_above d e = Some g -> geometric (Q2R d) (Q2R e) <= Q2R g.
Proof.
  unfold geometric_above, geometric. intros Hd He. destruct (Qeq_bool e 0) eqn:E.
  - intros H; injection H as <-. apply Qeq_bool_iff, Qeq_eqR in E. rewrite Q2R_0 in E. destruct (Req_EM_T (Q2R e) 0); lra.
  - destruct (Qeq_bool d 0) eqn:D.
    { intros H; injection H as <-. apply Qeq_bool_iff, Qeq_eqR in D. rewrite Q2R_0 in D |- *. rewrite D. right. apply geometric_0. }
    destruct (Qlt_bool 8000 (d * e)); [discriminate|]. destruct (exp_above (d * e)) as [u|] eqn:U; [|discriminate]. apply exp_above_ok in U. rewrite Q2R_mult in U.
    cbv zeta. destruct (Qle_bool (exp_below e - 1) 0) eqn:V; [discriminate|]. intros H; injection H as <-.
    apply Qgt_R in V. rewrite Q2R_0 in V. rewrite Q2R_div by now apply Qnonzero_R.
    rewrite Q2R_minus, Q2R_1 in V. rewrite !Q2R_minus, Q2R_1.
    pose proof (exp_below_ok e) as B. destruct (Req_EM_T (Q2R e) 0) as [Z|Z].
    { exfalso. rewrite Z, exp_0 in B. lra. }
    assert (1 <= exp (Q2R d * Q2R e)) by (apply exp_ge_1; nra).
    apply Rle_trans with ((Q2R u - 1) / (exp (Q2R e) - 1)).
    + apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | lra].
    + apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra.
Qed.

(** Those of which there is a rule. *)
Definition lifts (m : measure) : bool := match m with MRenyi | MTradeoff => false | _ => true end. (* MApproxZcdp to 0 and 1 *)

(** A profile at [x] comes from that of a step at [x/d]; at distance 0 nothing is lost, and no point is asked for. *)
Definition nothing_moves (m : measure) (d : Q) : bool := match m with MProfile => Qeq_bool d 0 | _ => false end.
Definition point_of_step (m : measure) (d x : Q) : Q := match m with MProfile => Qred (x / d) | _ => x end.
Definition step_of (m : measure) (d : Q) : Q := if nothing_moves m d then 0%Q else 1%Q.
Definition points_of_step (m : measure) (d : Q) (xs : list Q) : list Q :=
  if nothing_moves m d then [] else map (point_of_step m d) xs.

Lemma step_of_nonneg m d : 0 <= Q2R (step_of m d).
Proof. unfold step_of. destruct (nothing_moves m d); rewrite ?Q2R_0, ?Q2R_1; lra. Qed.
Lemma step_or_no_points m d xs : step_of m d = 1%Q \/ points_of_step m d xs = [].
Proof. unfold step_of, points_of_step. destruct (nothing_moves m d); auto. Qed.

Definition lifted_pair (d : Q) (l : loss) : option loss :=
  if Qeq_bool d 1 then Some l
  else match geometric_above d (fst l) with Some g => Some (Qred (d * fst l), snd l * g)%Q | None => None end.
Definition lifted (md : mode) (m : measure) (d x : Q) (l : loss) : option loss :=
  match m with
  | MPure | MTotalVariation => Some (Qred (d * fst l), 0)%Q
  | MZcdp | MGaussian => Some (Qred (d * d * fst l), 0)%Q
  | MApprox => lifted_pair d l
  | MProfile =>
      if Qeq_bool d 1 then Some l
      else match geometric_above d (point_of_step m d x) with Some g => Some (Qmax0 (short_above md (fst l * g)), 0)%Q | None => None end
  | MRenyi | MTradeoff => None
  | MApproxZcdp => if Qeq_bool d 1 then Some l else if Qeq_bool d 0 then Some zero_loss else None
  end.

Fixpoint lifted_at (md : mode) (m : measure) (d : Q) (xs : list Q) (ls : list loss) : option (list loss) :=
  match xs, ls with
  | [], [] => Some []
  | x :: xs, l :: ls => let* k := lifted md m d x l in let* ks := lifted_at md m d xs ls in Some (k :: ks)
  | _, _ => None
  end.
Definition lifted_all (md : mode) (m : measure) (d : Q) (xs : list Q) (ls : list loss) : option (list loss) :=
  if nothing_moves m d then Some (map (fun _ => zero_loss) xs) else lifted_at md m d xs ls.

Lemma lifted_pair_ok d l k : 0 <= Q2R d -> nonneg_loss l -> lifted_pair d l = Some k ->
  nonneg_loss k /\ le (group (ms := approx) (Q2R d) (real MApprox l)) (real MApprox k).
Proof.
  unfold lifted_pair. intros Hd [N1 N2]. destruct (Qeq_bool d 1) eqn:E.
  - intros H; injection H as <-. apply Qeq_bool_iff, Qeq_eqR in E. rewrite Q2R_1 in E. split; [split; assumption|].
    simpl. rewrite E, geometric_1. lra.
  - destruct (geometric_above d (fst l)) as [g|] eqn:G; [|discriminate]. apply geometric_above_ok in G; auto.
    pose proof (geometric_nonneg N1 Hd). intros H'; injection H' as <-. unfold nonneg_loss. simpl. rewrite Q2R_red, !Q2R_mult.
    split; [split; apply Rmult_le_pos; lra | split; [lra | now apply Rmult_le_compat_l]].
Qed.

Lemma lifted_nonneg md m d x l k : 0 <= Q2R d -> nonneg_loss l -> lifted md m d x l = Some k -> nonneg_loss k.
Proof.
  intros Hd N. pose proof N as [N1 N2]. unfold nonneg_loss. destruct m; cbn [lifted]; try discriminate.
  - intros H; injection H as <-; simpl. rewrite Q2R_red, Q2R_mult, Q2R_0. nra.
  - intros H. exact (proj1 (lifted_pair_ok Hd N H)).
  - intros H; injection H as <-; simpl. rewrite Q2R_red, !Q2R_mult, Q2R_0. assert (0 <= Q2R d * Q2R d) by nra. nra.
  - intros H; injection H as <-; simpl. rewrite Q2R_red, Q2R_mult, Q2R_0. nra.
  - intros H; injection H as <-; simpl. rewrite Q2R_red, !Q2R_mult, Q2R_0. assert (0 <= Q2R d * Q2R d) by nra. nra.
  - destruct (Qeq_bool d 1); [intros H; injection H as <-; auto|]. destruct (geometric_above d _); [|discriminate].
    intros H; injection H as <-. simpl. unfold Qmax0. rewrite Q2R_max, Q2R_0. split; [apply Rmax_l | lra].
  - destruct (Qeq_bool d 1); [intros H; injection H as <-; exact N|]. destruct (Qeq_bool d 0); [|discriminate].
    intros H; injection H as <-. apply nonneg_zero_loss.
Qed.

(** ** For any measurement, under a metric that counts steps *)
Section Group.
Variables (X A : Type) (mt : Metrics.metric X) (M : X -> dist A) (md : mode) (d : Q).
Hypothesis steps : whole mt.
Hypothesis d_nonneg : 0 <= Q2R d.
Hypothesis order : forall u v, mt 0 u v -> same (M u) (M v).

Lemma group_meets m x l k a b : nonneg_loss l -> lifted md m d x l = Some k -> nothing_moves m d = false ->
  (forall u v, mt 1 u v -> meets m (Q2R (point_of_step m d x)) (M u) (M v) (real m l)) ->
  mt (Q2R d) a b -> meets m (Q2R x) (M a) (M b) (real m k).
Proof.
  intros N H0 Z H D. destruct m; try discriminate H0.
  - injection H0 as <-. cbn [real fst]. rewrite Q2R_red, Q2R_mult.
    exact (lift (ms := pure) (M := M) (l := Q2R (fst l)) steps order (proj1 N) H _ _ _ D).
  - apply meets_le with (1 := proj2 (lifted_pair_ok d_nonneg N H0)).
    exact (lift (ms := approx) (M := M) (l := real MApprox l) steps order (real_nonneg MApprox N) H _ _ _ D).
  - injection H0 as <-. cbn [real fst]. rewrite Q2R_red, !Q2R_mult.
    exact (lift (ms := zcdp) (M := M) (l := Q2R (fst l)) steps order (proj1 N) H _ _ _ D).
  - injection H0 as <-. cbn [real fst]. rewrite Q2R_red, Q2R_mult.
    exact (lift (ms := total_variation) (M := M) (l := Q2R (fst l)) steps order (proj1 N) H _ _ _ D).
  - injection H0 as <-. cbn [real fst]. rewrite Q2R_red, !Q2R_mult.
    exact (lift (ms := gaussian) (M := M) (l := Q2R (fst l)) steps order (proj1 N) H _ _ _ D).
  - (* profile: as approx at the point *)
    cbn [nothing_moves point_of_step] in Z, H. intros Hx.
    assert (P : 0 < Q2R d).
    { destruct d_nonneg as [P|P]; [exact P|]. exfalso. apply eq_true_false_abs with (2 := Z).
      apply Qeq_bool_iff, eqR_Qeq. now rewrite Q2R_0. }
    set (e := Q2R (Qred (x / d))) in *. assert (E : e = Q2R x / Q2R d) by (unfold e; rewrite Q2R_red; apply Q2R_div, Qnonzero_R, P).
    assert (He : 0 <= e) by (rewrite E; now apply Rdiv_nonneg).
    assert (G : Q2R (fst l) * geometric (Q2R d) e <= Q2R (fst k)).
    { cbn [lifted] in H0. destruct (Qeq_bool d 1) eqn:E1.
      - injection H0 as <-. apply Qeq_bool_iff, Qeq_eqR in E1. rewrite E1, Q2R_1, geometric_1. lra.
      - destruct (geometric_above d _) as [g|] eqn:G; [|discriminate]. apply geometric_above_ok in G; auto.
        injection H0 as <-. cbn [fst]. unfold Qmax0. rewrite Q2R_max. eapply Rle_trans; [|apply Rmax_r].
        eapply Rle_trans; [|apply short_above_ok]. rewrite Q2R_mult. apply Rmult_le_compat_l; [apply N | exact G]. }
    apply ind_weaken with (Q2R d * e) (Q2R (fst l) * geometric (Q2R d) e); [right; rewrite E; field; lra | exact G |].
    assert (One : private_at mt approx M 1 (e, Q2R (fst l))) by (intros u v S; now apply H).
    exact (lift (ms := approx) (l := (e, Q2R (fst l))) steps order (conj He (proj1 N)) One _ _ _ D).
  - (* approximate zcdp: one step, or none *)
    cbn [lifted] in H0. destruct (Qeq_bool d 1) eqn:E1.
    + injection H0 as <-. apply Qeq_bool_iff, Qeq_eqR in E1. rewrite Q2R_1 in E1. apply H. now rewrite <- E1.
    + destruct (Qeq_bool d 0) eqn:E0; [|discriminate]. injection H0 as <-. apply Qeq_bool_iff, Qeq_eqR in E0. rewrite Q2R_0 in E0.
      apply meets_same_loss; [apply nonneg_zero_loss | apply order; now rewrite <- E0].
Qed.

Lemma lifted_all_ok m xs ls ks : lifted_all md m d xs ls = Some ks -> length (points_of_step m d xs) = length ls -> Forall nonneg_loss ls ->
  Forall nonneg_loss ks /\ length xs = length ks /\
  ((forall u v, mt 1 u v -> Forall2 (fun p l => meets m (Q2R p) (M u) (M v) (real m l)) (points_of_step m d xs) ls) ->
    forall a b, mt (Q2R d) a b -> Forall2 (fun p k => meets m (Q2R p) (M a) (M b) (real m k)) xs ks).
Proof.
  unfold lifted_all, points_of_step. destruct (nothing_moves m d) eqn:Z.
  - intros H _ _. injection H as <-. split; [|split; [now rewrite map_length|]].
    + apply Forall_map, Forall_forall. intros; apply nonneg_zero_loss.
    + intros _ a b D. apply Forall2_map_r. assert (D0 : mt 0 a b).
      { destruct m; try discriminate. apply Qeq_bool_iff, Qeq_eqR in Z. now rewrite Z, Q2R_0 in D. }
      clear Z. induction xs; constructor; auto. apply meets_same_loss; auto using nonneg_zero_loss.
  - intros H E N. assert (P : length xs = length ks /\ Forall nonneg_loss ks /\
      (Forall2 (fun p l => forall uv : X * X, mt 1 (fst uv) (snd uv) -> meets m (Q2R p) (M (fst uv)) (M (snd uv)) (real m l)) (map (point_of_step m d) xs) ls ->
        forall a b, mt (Q2R d) a b -> Forall2 (fun p k => meets m (Q2R p) (M a) (M b) (real m k)) xs ks)).
    { clear E. revert ls ks H N. induction xs as [|x xs IH]; intros [|l ls] ks H N; try discriminate; simpl in H.
      - injection H as <-. repeat split; constructor.
      - unfold bind_option in H. destruct (lifted md m d x l) as [k|] eqn:K; [|discriminate].
        destruct (lifted_at md m d xs ls) as [js|] eqn:J; [|discriminate]. injection H as <-. inversion N; subst.
        destruct (IH _ _ J) as (L & Nj & F); [assumption|]. split; [simpl; congruence|].
        split; [constructor; [eapply lifted_nonneg; eauto | exact Nj]|].
        intros G a b D. simpl in G. inversion G as [|? ? ? ? G1 G2]; subst. constructor; [|now apply F].
        apply (@group_meets m x l k a b); auto. intros u v S. exact (G1 (u, v) S). }
    destruct P as (P1 & P2 & P3). split; [exact P2|]. split; [exact P1|]. intros G. apply P3.
    apply (Forall2_all (fun uv : X * X => mt 1 (fst uv) (snd uv))
      (fun uv p l => meets m (Q2R p) (M (fst uv)) (M (snd uv)) (real m l)) E). intros [u v] S. now apply G.
Qed.
End Group.

Lemma lifted_nonneg_length md m d xs ls ks : 0 <= Q2R d -> lifted_all md m d xs ls = Some ks -> Forall nonneg_loss ls ->
  Forall nonneg_loss ks /\ length xs = length ks.
Proof.
  intros Hd. unfold lifted_all. destruct (nothing_moves m d).
  - intros H _; injection H as <-. split; [apply Forall_map, Forall_forall; intros; apply nonneg_zero_loss | now rewrite map_length].
  - revert ls ks; induction xs as [|x xs IH]; intros [|l ls] ks H N; try discriminate; simpl in H; [injection H as <-; auto|].
    unfold bind_option in H. destruct (lifted md m d x l) as [k|] eqn:K; [|discriminate]. destruct (lifted_at md m d xs ls) as [js|] eqn:J; [|discriminate].
    injection H as <-. inversion N; subst. destruct (IH _ _ J) as [I1 I2]; [assumption|]. split; [constructor; [eapply lifted_nonneg; eauto | exact I1] | simpl; congruence].
Qed.

(** The same, of lists of losses. *)
Corollary group_at X A (mt : Metrics.metric X) (M : X -> dist A) md m d xs ls ks a b : whole mt -> 0 <= Q2R d ->
  lifted_all md m d xs ls = Some ks -> length (points_of_step m d xs) = length ls -> Forall nonneg_loss ls ->
  (forall u v, mt 1 u v -> Forall2 (fun p l => meets m (Q2R p) (M u) (M v) (real m l)) (points_of_step m d xs) ls) ->
  (forall u v, mt 0 u v -> same (M u) (M v)) -> mt (Q2R d) a b ->
  Forall2 (fun p k => meets m (Q2R p) (M a) (M b) (real m k)) xs ks.
Proof. intros W Hd L E N H1 H0. exact (proj2 (proj2 (@lifted_all_ok X A mt M md d W Hd H0 m xs ls ks L E N)) H1 a b). Qed.
